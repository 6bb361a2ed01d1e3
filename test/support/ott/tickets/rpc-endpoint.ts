/** An RPC endpoint in front of a test's node. The test sets its behaviour. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type EndpointMode =
  | 'well'
  | 'hanging'
  | 'gone'
  /** Works, but refuses every transaction. */
  | 'sends nothing'
  /** Works, but reports every balance as 0, like an endpoint that lags behind. */
  | 'nobody holds'
  | 'too many requests'
  /** Answers each request of a batch with error -32005. */
  | 'over its limit';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly { readonly data?: string }[];
}

const isTransaction = ({ method }: Asked): boolean => method === 'eth_sendRawTransaction';

export const startEndpoint = async (target: string) => {
  let mode: EndpointMode = 'well';
  const asked: string[] = [];
  const balanceOf = '0x70a08231';

  const server = createServer(async (request, response) => {
    const body = await text(request);
    const parts = JSON.parse(body) as Asked[];
    asked.push(...parts.map(({ method, params }) => `${method} ${params?.[0]?.data?.slice(0, 10) ?? ''}`));
    if (mode === 'hanging') return;
    if (mode === 'gone') return void request.socket.destroy();
    if (mode === 'too many requests') return void response.writeHead(429).end();
    const json = { 'content-type': 'application/json' };
    const answer = (replies: unknown) => void response.writeHead(200, json).end(JSON.stringify(replies));
    const refused = ({ id }: Asked) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32005, message: 'execution limit exceeded' },
    });
    if (mode === 'over its limit') return answer(parts.map(refused));
    const sent = mode === 'sends nothing' ? parts.filter(isTransaction) : [];
    const passed = parts.filter((part) => !sent.includes(part));
    if (passed.length === 0) return answer(sent.map(refused));
    const forwarded = await fetch(target, { method: 'POST', headers: json, body: JSON.stringify(passed) });
    const replies = (await forwarded.json()) as { readonly id: number }[];
    if (mode !== 'nobody holds') return answer([...replies, ...sent.map(refused)]);
    const isBalance = new Set(
      parts.filter(({ params }) => params?.[0]?.data?.startsWith(balanceOf)).map(({ id }) => id),
    );
    const none = `0x${'0'.repeat(64)}`;
    answer(
      replies.map((reply) =>
        isBalance.has(reply.id) ? { jsonrpc: '2.0', id: reply.id, result: none } : reply,
      ),
    );
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next: EndpointMode) => {
      mode = next;
    },
    /** The requests received, each as its RPC method and the selector of the contract's function. */
    asked,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
export type TestEndpoint = Awaited<ReturnType<typeof startEndpoint>>;
