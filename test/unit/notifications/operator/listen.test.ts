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

describe('the notification listener of the command line', () => {
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

  it('receives what is sent to its secret address', async () => {
    expect(await post(listener.url, { operation_type: 'data_update' })).toBe(200);
    expect(await post(listener.url, confirmation)).toBe(200);

    await listener.confirmed;
    expect([confirmedWith, heard.map(({ body }) => body)]).toEqual([
      ['a token'],
      [{ operation_type: 'data_update' }],
    ]);
  });

  it('answers 404 to a web page that knows only its port, and confirms nothing for that page', async () => {
    for (const path of ['/', '/listen', '/listen/', '/listen/guess']) {
      for (const body of [confirmation, { operation_type: 'data_update' }]) {
        expect(await post(new URL(path, listener.url), body)).toBe(404);
      }
    }

    expect([confirmedWith, heard]).toEqual([[], []]);
  });

  it('answers 403 to a web page that has found its secret address', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await fetch(listener.url, { method: 'POST', headers, body: JSON.stringify(confirmation) });

    expect([answer.status, confirmedWith]).toEqual([403, []]);
  });
});

describe('the notification listener that forwards messages', () => {
  /** The endpoint of a developer's receiver, with the requests that the endpoint got. */
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

  it("forwards headers and body unchanged, and returns the endpoint's status to SNS", async () => {
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

  it('answers 502 when the endpoint is unreachable, so that SNS sends the message again', async () => {
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
  ])('rejects the forwarding address %s', (address) => {
    expect(() => forwardTarget(address)).toThrow('needs an http address of this machine');
  });
});
