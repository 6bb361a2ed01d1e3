import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';

export interface RpcRelay {
  readonly url: string;
  stop(): Promise<void>;
}

/** Asks the node behind the relay, in the words of JSON-RPC. */
export type AskNode = (body: string) => Promise<string>;

/** An endpoint of JSON-RPC before a node, which `answer` speaks for. */
export const startRpcRelay = async (options: {
  readonly target: string;
  readonly answer: (body: string, askNode: AskNode) => Promise<string>;
}): Promise<RpcRelay> => {
  const pool = new Pool(options.target, { connections: 64 });
  const askNode: AskNode = async (body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await pool.request({ method: 'POST', path: '/', headers, body });
    return answer.body.text();
  };
  const server = createServer(async (incoming, outgoing) => {
    try {
      const answer = await options.answer(await text(incoming), askNode);
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    } catch {
      // The node gave none, or the relay was stopped meanwhile: then the caller gets none, either.
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.destroy();
    },
  };
};
