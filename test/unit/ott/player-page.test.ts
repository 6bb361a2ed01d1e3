import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubHls } from '../../support/ott/stub-hls.ts';

/** As much of an element as the player uses. */
class Stub {
  [name: string]: unknown;
  dataset = {};
  hidden = false;
  classList = { add() {}, remove() {} };
  value = '';
  children: (Stub | string)[] = [];
  #text = '';
  get textContent() {
    return this.#text;
  }
  set textContent(text: string) {
    this.#text = text;
    this.children = [];
  }
  listeners: Record<string, (event: object) => Promise<void> | void> = {};
  addEventListener(name: string, listener: (event: object) => Promise<void>) {
    this.listeners[name] = listener;
  }
  append(...children: (Stub | string)[]) {
    this.children.push(...children);
  }
  setAttribute() {}
  removeAttribute() {}
  scrollIntoView() {}
  focus() {}
  load() {}
}
const textOf = (of: Stub | string): string =>
  typeof of === 'string' ? of : `${of.textContent}${of.children.map(textOf).join('')}`;
const buttonsIn = (of: Stub | string): Stub[] =>
  typeof of === 'string'
    ? []
    : [...(of.listeners.click === undefined ? [] : [of]), ...of.children.flatMap(buttonsIn)];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('goes on after a login has expired, and says what it could not read and that the picture has failed', async () => {
  const elements: Record<string, Stub> = {};
  const element = (id: string): Stub => {
    elements[id] ??= new Stub();
    return elements[id];
  };
  const kept = () => ({ getItem: () => null, setItem: () => {}, removeItem: () => {} });
  const players = stubHls();
  const settings = {
    ...{ base_url: 'http://base', oidc_issuer: 'http://issuer', entitlement_url: 'http://entitlement' },
    ...{ geolocation_url: 'http://geo', api_url_profile: 'http://profile', api_url_b2b: 'http://b2b' },
    chain_rpc_url: 'http://chain',
    applications: [{ id: 'arena', client_id: 'arena-web', api_key: 'key' }],
  };
  vi.stubGlobal('window', { settings });
  vi.stubGlobal('document', { getElementById: element, createElement: () => new Stub() });
  vi.stubGlobal('HTMLInputElement', class {});
  vi.stubGlobal('sessionStorage', kept());
  vi.stubGlobal('localStorage', kept());
  vi.stubGlobal('location', { hash: '' });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('dispatchEvent', () => {});
  let issued = 0;
  let expired = 0;
  let status = 'UPCOMING';
  const failing = new Map<string, number>();
  vi.stubGlobal('fetch', async (url: string, { headers = {} }: { headers?: Record<string, string> } = {}) => {
    if (url === 'http://issuer/token') {
      issued += 1;
      return Response.json({ access_token: String(issued) });
    }
    if (Number(headers.authorization?.split(' ')[1]) <= expired)
      return Response.json({ message: 'UNAUTHORIZED' }, { status: 401 });
    const failed = [...failing].find(([part]) => url.includes(part))?.[1];
    if (failed !== undefined) {
      const headers = failed === 429 ? { 'retry-after': '7' } : {};
      return Response.json({ message: failed === 401 ? 'UNAUTHORIZED' : 'X' }, { status: failed, headers });
    }
    const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
    if (url.includes('/stream?')) return Response.json({ url, expires_at: at(60_000), renew_at: at(0) });
    const tickets = [{ contract_address: '0x1' }];
    if (url.includes('/events/'))
      return Response.json([
        {
          event_id: 'one',
          title: 'One',
          status,
          access: 'free',
          image: null,
          description: null,
          starts_at: at(0),
          tickets,
        },
      ]);
    return Response.json(/\/user\/(wallets|tokens)$/.test(url) ? [] : {});
  });
  const says = (id: string) => textOf(element(id));
  const signIn = () => element('sign-in').listeners.submit?.({ preventDefault: () => {} });
  const script: string = '../../../local/player/player.js';

  const { started } = await import(/* @vite-ignore */ script);
  await started;
  element('user').value = 'ana';
  await signIn();
  expired = issued;
  status = 'LIVE';
  await vi.advanceTimersByTimeAsync(6_000);
  expect(says('events')).toContain('LIVE');

  failing.set('/user/', 503);
  await buttonsIn(element('events'))[0]?.listeners.click?.({});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(says('linked')).toMatch(/^Your wallets could not be read\./);
  expect(says('tickets')).toMatch(/^Your tickets could not be read\./);
  failing.clear();
  await buttonsIn(element('linked'))[0]?.listeners.click?.({});
  expect(says('linked')).toBe('You have linked no wallet.');

  failing.set('/contracts/', 503);
  await buttonsIn(element('tickets'))[0]?.listeners.click?.({});
  expect(says('tickets')).toMatch(/^Your tickets could not be read\./);
  failing.clear();
  await buttonsIn(element('tickets'))[0]?.listeners.click?.({});
  expect(says('tickets')).toMatch(/^You have no ticket for One yet\./);

  players[0]?.error?.('error', { fatal: true });
  await vi.advanceTimersByTimeAsync(5_000);
  expect([element('refusal').hidden, says('message')]).toEqual([false, 'The stream cannot be played.']);

  await buttonsIn(element('events'))[0]?.listeners.click?.({});
  failing.set('/stream?', 429);
  await vi.advanceTimersByTimeAsync(5_000);
  failing.clear();
  expect(element('refusal').hidden).toBe(true);

  failing.set('/stream?', 401);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(says('message')).toMatch(/^Your login has expired\. You can watch until it ends/);
  failing.clear();
  await signIn();
  expect([players.length, element('refusal').hidden]).toEqual([3, true]);
});
