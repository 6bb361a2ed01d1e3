import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
