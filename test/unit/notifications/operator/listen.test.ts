import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  forwardedText,
  forwardTarget,
  forwardTo,
} from '../../../../operator/notifications/subscriptions/forward.ts';
import {
  type Heard,
  type Listener,
  startListener,
} from '../../../../operator/notifications/subscriptions/listen.ts';

describe('a listener for notifications', () => {
  let listener: Listener;
  let confirmedWith: string[];
  let heard: Heard[];

  beforeEach(async () => {
    [confirmedWith, heard] = [[], []];
    listener = await startListener({
      confirm: async (token) => confirmedWith.push(token),
      onMessage: (message) => heard.push(message),
    });
  });
  afterEach(() => listener.stop());

  const post = async (url: string | URL, body: unknown) =>
    (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).status;
  const confirmation = { Type: 'SubscriptionConfirmation', Token: 'a token' };

  it('hears what is sent to its address', async () => {
    expect(await post(listener.url, { operation_type: 'data_update' })).toBe(200);
    expect(await post(listener.url, confirmation)).toBe(200);

    await listener.confirmed;
    expect([confirmedWith, heard.map(({ body }) => body)]).toEqual([
      ['a token'],
      [{ operation_type: 'data_update' }],
    ]);
  });

  it('hears nothing of a page that knows only its port, and confirms nothing for it', async () => {
    for (const path of ['/', '/listen', '/listen/', '/listen/guess']) {
      for (const body of [confirmation, { operation_type: 'data_update' }]) {
        expect(await post(new URL(path, listener.url), body)).toBe(404);
      }
    }

    expect([confirmedWith, heard]).toEqual([[], []]);
  });

  it('hears nothing of a page that found out the address', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await fetch(listener.url, { method: 'POST', headers, body: JSON.stringify(confirmation) });

    expect([answer.status, confirmedWith]).toEqual([403, []]);
  });
});

describe('a listener that passes messages on', () => {
  /** An endpoint of somebody who develops a receiver, and what it got. */
  const anEndpoint = async (status: number) => {
    const got: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = () => {
      server.closeAllConnections();
      server.close();
    };
    onTestFinished(stop);
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/hook?x=1`, host: `127.0.0.1:${port}`, got, stop };
  };
  const listening = async (target: string) => {
    const heard: Heard[] = [];
    const listener = await startListener({
      confirm: async () => {},
      onMessage: (message) => heard.push(message),
      forward: forwardTo(forwardTarget(target)),
    });
    onTestFinished(() => listener.stop());
    return { listener, heard };
  };
  const body = '{ "operation_type":\n"data_update", "ü": 1 }';
  const post = (url: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'x-amz-sns-message-id': 'm', 'content-type': 'application/json; charset=x' },
      body,
    });

  it('leaves headers and body as they are, and gives SNS the answer', async () => {
    const endpoint = await anEndpoint(403);
    const { listener, heard } = await listening(endpoint.url);

    const { status } = await post(listener.url);

    expect(status).toBe(403);
    expect(endpoint.got).toMatchObject([
      {
        headers: {
          host: endpoint.host,
          'x-amz-sns-message-id': 'm',
          'content-type': 'application/json; charset=x',
        },
        body,
      },
    ]);
    expect(heard).toMatchObject([{ messageId: 'm', forwarded: { status: 403, reason: 'Forbidden' } }]);
    expect(heard.map(({ forwarded }) => forwarded && forwardedText(forwarded))).toEqual([
      expect.stringMatching(/^answered 403 Forbidden after \d+ ms$/),
    ]);
  });

  it('has SNS send a message again that no endpoint took', async () => {
    const endpoint = await anEndpoint(200);
    endpoint.stop();
    const { listener, heard } = await listening(endpoint.url);

    expect((await post(listener.url)).status).toBe(502);
    expect(heard).toMatchObject([{ forwarded: { error: expect.stringContaining('ECONNREFUSED') } }]);
  });

  it.each([
    'http://example.com/hook',
    'https://127.0.0.1/hook',
    'http://127.0.0.1.example.com/',
    'http://user@127.0.0.1/',
    '127.0.0.1:3001',
  ])('refuses %s', (address) => {
    expect(() => forwardTarget(address)).toThrow('needs an http address of this machine');
  });
});
