import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Pool } from 'undici';
import * as z from 'zod';
import type { System } from '../../test/support/platform/system.ts';

const call = z.looseObject({ method: z.string() });
const body = z.union([call.transform((one) => [one]), z.array(call)]);

export interface RpcCounter {
  readonly url: string;
  /** How often each method was called. In a JSON-RPC batch, every call is counted. */
  readonly counts: () => Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

export const startRpcCounter = async (target: string): Promise<RpcCounter> => {
  const counts: Record<string, number> = {};
  const pool = new Pool(target, { connections: 64 });
  const server = createServer(async (incoming, outgoing) => {
    try {
      const asked = await text(incoming);
      for (const { method } of body.parse(JSON.parse(asked))) counts[method] = (counts[method] ?? 0) + 1;
      const headers = { 'content-type': 'application/json' };
      const answer = await pool.request({ method: 'POST', path: '/', headers, body: asked });
      outgoing.writeHead(200, headers).end(await answer.body.text());
    } catch {
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ ...counts }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.destroy();
    },
  };
};

/**
 * Makes `url` the system's RPC endpoint. Functions that have already used the chain keep using the old endpoint for
 * five minutes.
 */
export const askChainAt = async (system: System, url: string): Promise<void> => {
  const client = new SecretsManagerClient(system.aws);
  const SecretId = await system.stackOutput('ChainSecretArn');
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify({ urls: [url] }) }));
  client.destroy();
};
