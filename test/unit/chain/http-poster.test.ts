import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { httpPoster } from '../../../shared/chain/rpc/http-poster.ts';

let server: Server;
let connections: Socket[];

beforeEach(async () => {
  connections = [];
  server = createServer((_, response) => response.end('answered'));
  server.on('connection', (socket: Socket) => connections.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(async () => {
  server.closeAllConnections();
  await once(server.close(), 'close');
});

const postTo = (post: ReturnType<typeof httpPoster>) =>
  post({
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    headers: {},
    body: '{}',
  });

it('the HTTP poster reuses its connection', async () => {
  const post = httpPoster({});

  await postTo(post);
  const answer = await postTo(post);

  expect(answer).toMatchObject({ status: 200, text: 'answered' });
  expect(connections).toHaveLength(1);
});

it("the HTTP poster opens a new connection when the old one was idle for the agent's time-out", async () => {
  const post = httpPoster({ httpAgent: { timeout: 20 } });

  await postTo(post);
  const [first] = connections;
  if (first?.closed === false) await once(first, 'close');
  await postTo(post);

  expect(connections).toHaveLength(2);
});
