import { afterEach, expect, it, vi } from 'vitest';
import { stubHls } from '../../support/ott/stub-hls.ts';

type Stub = Record<string, unknown> & { onclick?: () => Promise<void> };
type Answer = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];
type Answers = Readonly<Record<string, (url: string) => Answer>>;

const events = [
  { event_id: 'one', title: 'One' },
  { event_id: 'two', title: 'Two' },
];
const settings = { baseUrl: 'http://base', profileUrl: 'http://profile', issuer: 'http://issuer' };
const usual: Answers = {
  '/settings.json': () => [200, { ...settings, clientId: 'arena-web' }],
  '/openid-configuration': () => [200, { token_endpoint: 'http://issuer/token' }],
  '/events/': () => [200, events],
  '/stream': (url) => [200, { url, expires_at: null, continuation: 'next' }],
  '/stream/end': () => [204, undefined],
};

let opened = 0;
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The page's script, with as much of a browser as it uses. */
const open = async (answers: Answers, { query = '', kept = {} as Record<string, string> } = {}) => {
  const asked: string[] = [];
  const made: Stub[] = [];
  const byId: Record<string, Stub> = {};
  const stub = (): Stub => {
    made.push({ append: () => {} });
    return made.at(-1) ?? {};
  };
  const storage: Record<string, unknown> = {
    ...kept,
    removeItem: (name: string) => {
      delete storage[name];
    },
  };
  const players = stubHls();
  vi.stubGlobal('document', {
    getElementById: (id: string) => {
      byId[id] ??= stub();
      return byId[id];
    },
    createElement: stub,
  });
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('location', { search: query, origin: 'http://page' });
  vi.stubGlobal('history', { replaceState: () => {} });
  const all = { ...usual, ...answers };
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const path = url.split('?')[0] ?? '';
    const [, answer] = Object.entries(all)
      .filter(([end]) => path.endsWith(end))
      .reduce((a, b) => (b[0].length > a[0].length ? b : a));
    const [status, body, headers = {}] = answer(url);
    // A call about the first event takes longer than one about the second.
    if (path.includes('/one/')) await new Promise((resolve) => setTimeout(resolve, 50));
    return status === 204 ? new Response(null, { status }) : Response.json(body, { status, headers });
  });
  // Another query is another module, so the script runs once more.
  opened += 1;
  const { started } = await import(/* @vite-ignore */ `../../../examples/page/page.js?${opened}`);
  await started;
  const click = (id: string) => (byId[id] ?? made.find((each) => each.id === id))?.onclick?.();
  const sessions = () =>
    asked.filter((url) => url.includes('/stream?')).map((url) => new URL(url).searchParams.get('session'));
  return { asked, storage, players, click, sessions, says: () => byId.says?.textContent };
};

it('says that a login failed, and stores no token', async () => {
  const page = await open(
    { '/token': () => [400, { error: 'invalid_grant' }] },
    { query: '?code=c&state=s', kept: { state: 's' } },
  );

  expect(page.says()).toBe('You are not logged in.');
  expect(page.storage).not.toHaveProperty('token');
});

it('says that a login has ended, and forgets it', async () => {
  const refused = () => [401, { message: 'UNAUTHORIZED' }] as const;

  const page = await open({ '/events/': refused }, { kept: { token: 'ended' } });

  expect(page.says()).toBe('Log in again');
  expect(page.storage).not.toHaveProperty('token');
});

it('says why there is no list of events', async () => {
  const page = await open({ '/events/': () => [503, { message: 'SERVICE_UNAVAILABLE' }] });

  expect(page.says()).toBe('SERVICE_UNAVAILABLE');
});

it('begins a new session after another screen has taken over, and after the end', async () => {
  let hasEnded = true;
  const page = await open(
    {
      '/two/stream': () =>
        hasEnded ? [403, { message: 'SESSION_ENDED' }] : [200, { expires_at: null, continuation: 'next' }],
    },
    { kept: { session: 'mine', continuation: 'old' } },
  );

  await page.click('two');
  expect(page.says()).toBe('SESSION_ENDED');
  hasEnded = false;
  await page.click('two');
  expect(page.says()).toBe('You are watching two.');
  await page.click('end');
  page.storage.session = 'of a page that was reloaded';
  await page.click('end');
  await page.click('two');

  expect(page.sessions()[0]).toBe('mine');
  expect(new Set(page.sessions()).size).toBe(3);
  expect(page.sessions()).not.toContain('of a page that was reloaded');
  expect(page.asked.filter((url) => url.includes('continuation='))).toHaveLength(1);
});

it('plays only what was chosen last, and says when the picture fails', async () => {
  const page = await open({});

  await Promise.all([page.click('one'), page.click('two')]);

  expect(page.says()).toBe('You are watching two.');
  expect(page.players).toHaveLength(1);
  page.players[0]?.error?.('error', { fatal: true, details: 'manifestLoadError' });
  expect(page.says()).toBe('The stream fails: manifestLoadError');
});

it('renews the stream after a refusal because of too many requests, and not before the time that it names', async () => {
  vi.useFakeTimers();
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toUTCString();
  const stream = (): Answer => [200, { expires_at: at(60_000), renew_at: at(10_000) }, { date: at(0) }];
  const refused: Answer = [429, { message: 'TOO_MANY_REQUESTS' }, { 'retry-after': '7' }];
  const answers = [stream(), refused, stream()];
  const page = await open({ '/two/stream': () => answers.shift() ?? refused });

  await page.click('two');
  await vi.advanceTimersByTimeAsync(16_500);
  expect(page.sessions()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(page.sessions()).toHaveLength(3);
  expect(page.says()).toBe('You are watching two.');
});
