import { describe, expect, it } from 'vitest';
import { checkStage, type PartState } from '../../../shared/platform/check-stage.ts';
import type { StageFindings } from '../../../shared/platform/watched.ts';

const addresses = { base: 'https://base', b2b: 'https://b2b', profile: 'https://profile' };
const healthy = (url: string) =>
  url.startsWith('https://base')
    ? { status: 200, text: '[]' }
    : url.startsWith('https://b2b')
      ? { status: 404, text: '{"status":404,"message":"NOT_FOUND"}' }
      : { status: 401, text: '{"status":401}' };

const check = async ({
  get = healthy,
  mappings = [],
  schedules = [],
  forwardedLogs = [],
  keys = [],
  apiKeys = [],
}: {
  readonly get?: (
    url: string,
    attempt: number,
    headers?: Readonly<Record<string, string>>,
  ) => { readonly status: number; readonly text: string };
  readonly mappings?: readonly PartState[];
  readonly schedules?: readonly PartState[];
  readonly forwardedLogs?: readonly PartState[];
  readonly keys?: readonly PartState[];
  /** The values of the canary's API key: the one that it knows, and the one that is stored. @default none */
  readonly apiKeys?: readonly (string | undefined)[];
}) => {
  const found: StageFindings[] = [];
  const lines: unknown[] = [];
  const attempts = new Map<string, number>();
  const write = (_: string, fields?: unknown): void => {
    lines.push(fields);
  };
  await checkStage({
    addresses,
    apiKey: async (isAgain) => apiKeys[isAgain ? apiKeys.length - 1 : 0],
    get: async (url, headers) => {
      attempts.set(url, (attempts.get(url) ?? 0) + 1);
      return get(url, attempts.get(url) ?? 0, headers);
    },
    mappings: async () => mappings,
    schedules: async () => schedules,
    forwardedLogs: async () => forwardedLogs,
    keys: async () => keys,
    findings: (findings) => found.push(findings),
    logger: { debug: write, info: write, warn: write, error: write },
  });
  return { found, lines };
};

describe('the canary', () => {
  it('reports no failures for a healthy stage', async () => {
    const { found, lines } = await check({
      mappings: [{ part: 'm', state: 'Enabled', isOn: true }],
      keys: [{ part: 'k', state: 'Enabled', isOn: true }],
    });

    expect(found).toEqual([{ ChecksFailed: 0, PartsOff: 0, KeysUnusable: 0, ApiKeyRefused: undefined }]);
    expect(lines).toEqual([]);
  });

  it.each([
    ['whose domain leads to no API', () => ({ status: 403, text: '{"message":"Forbidden"}' })],
    ['whose function fails', () => ({ status: 502, text: '' })],
    [
      'that does not answer',
      () => {
        throw new Error('certificate has expired');
      },
    ],
  ])('counts and logs an address %s', async (_, answer) => {
    const { found, lines } = await check({
      get: (url) => (url.startsWith('https://b2b') ? answer() : healthy(url)),
    });

    expect(found).toMatchObject([{ ChecksFailed: 1 }]);
    expect(lines).toMatchObject([{ url: expect.stringContaining('https://b2b') }]);
  });

  it('retries an address before it counts a failure', async () => {
    const { found } = await check({
      get: (url, attempt) => (attempt === 1 ? { status: 504, text: '' } : healthy(url)),
    });

    expect(found).toMatchObject([{ ChecksFailed: 0 }]);
  });

  it('counts and logs the parts and keys that are disabled', async () => {
    const { found, lines } = await check({
      mappings: [
        { part: 'm1', state: 'Enabled', isOn: true },
        { part: 'm2', state: 'Disabled', isOn: false },
      ],
      schedules: [{ part: 's1', state: 'DISABLED', isOn: false }],
      forwardedLogs: [{ part: 'l1', state: 'No subscription filter', isOn: false }],
      keys: [{ part: 'k1', state: 'PendingDeletion', isOn: false }],
    });

    expect(found).toEqual([{ ChecksFailed: 0, PartsOff: 3, KeysUnusable: 1, ApiKeyRefused: undefined }]);
    expect(lines).toEqual([
      { part: 'm2', state: 'Disabled' },
      { part: 's1', state: 'DISABLED' },
      { part: 'l1', state: 'No subscription filter' },
      { part: 'k1', state: 'PendingDeletion' },
    ]);
  });

  describe('with an API key of its own', () => {
    /** Gateways that accept these keys. */
    const accepting =
      (...accepted: readonly string[]) =>
      (url: string, _: number, headers: Readonly<Record<string, string>> = {}) => {
        const key = headers['x-api-key'];
        if (key === undefined) return healthy(url);
        return accepted.includes(key)
          ? { status: 200, text: '[]' }
          : { status: 403, text: '{"message":"Forbidden"}' };
      };

    it('reports no failure if the key is accepted', async () => {
      const { found } = await check({ apiKeys: ['key'], get: accepting('key') });

      expect(found).toMatchObject([{ ChecksFailed: 0, ApiKeyRefused: 0 }]);
    });

    it('counts each API that refuses the key, and nothing else', async () => {
      const { found, lines } = await check({
        apiKeys: ['key'],
        get: (url, attempt, headers) =>
          accepting(...(url.startsWith('https://b2b') ? [] : ['key']))(url, attempt, headers),
      });

      expect(found).toMatchObject([{ ChecksFailed: 0, PartsOff: 0, ApiKeyRefused: 1 }]);
      expect(lines).toEqual([
        {
          url: 'https://b2b/notifications/endpoints',
          fault: 'answered 403 {"message":"Forbidden"}, expected 200',
        },
      ]);
      expect(JSON.stringify(lines)).not.toContain('"key"');
    });

    it('reads the key again before it counts, because an operator may have replaced it', async () => {
      const { found } = await check({ apiKeys: ['old', 'new'], get: accepting('new') });

      expect(found).toMatchObject([{ ApiKeyRefused: 0 }]);
    });
  });

  it('still tells of all else if the secret with its API key cannot be read', async () => {
    const found: StageFindings[] = [];
    const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    await checkStage({
      addresses,
      apiKey: async () => {
        throw new Error('AccessDenied');
      },
      get: async (url) => healthy(url),
      mappings: async () => [],
      schedules: async () => [],
      forwardedLogs: async () => [],
      keys: async () => [],
      findings: (findings) => found.push(findings),
      logger: quiet,
    });

    expect(found).toEqual([{ ChecksFailed: 0, PartsOff: 0, KeysUnusable: 0, ApiKeyRefused: 2 }]);
  });
});
