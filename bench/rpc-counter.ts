import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import * as z from 'zod';

const call = z.looseObject({ method: z.string() });
const body = z.union([call.transform((one) => [one]), z.array(call)]);

export interface RpcCounter {
  readonly url: string;
  /** How often each method was asked, each item of a batch for itself. */
  readonly counts: () => Readonly<Record<string, number>>;
  /** HTTP requests. */
  readonly requests: () => number;
  stop(): Promise<void>;
}

/** Stands before a node, counts what it is asked, and answers later. */
export const startRpcCounter = async (options: {
  readonly target: string;
  readonly delayMilliseconds: number;
}): Promise<RpcCounter> => {
  const pool = new Pool(options.target, { connections: 64 });
  const counts: Record<string, number> = {};
  let requests = 0;
  const server = createServer(async (incoming, outgoing) => {
    const asked = await text(incoming);
    requests += 1;
    for (const { method } of body.parse(JSON.parse(asked))) counts[method] = (counts[method] ?? 0) + 1;
    if (options.delayMilliseconds > 0) await delay(options.delayMilliseconds);
    const answer = await pool.request({
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json' },
      body: asked,
    });
    outgoing.writeHead(answer.statusCode, { 'content-type': 'application/json' });
    outgoing.end(await answer.body.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ ...counts }),
    requests: () => requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.destroy();
    },
  };
};
