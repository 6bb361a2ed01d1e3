import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { templateOf } from '../../support/platform/stack.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const sourcesIn = (...folders: readonly string[]) =>
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** In milliseconds. Whoever changes one looks at those who wait for the function, and at the guides. */
const deadlines = {
  'functions/account/dependencies.ts': ['5_000'],
  'functions/notifications/dependencies.ts': ['5_000', '3_000'],
  'functions/ott/dependencies.ts': ['500', '1_000', '1_500', '4_000'],
  'functions/platform/check-stage/dependencies.ts': ['11_000'],
  'functions/platform/dependencies.ts': ['2_000'],
  'functions/wallets/dependencies.ts': ['3_000'],
  'shared/nft/aws/executions.ts': ['5_000'],
  'shared/nft/submit/deadlines.ts': ['4_000', '1_500', '6_500'],
  'shared/ott/outside/http-entitlement-service.ts': ['1_400'],
  'shared/ott/outside/maxmind-geolocation-service.ts': ['1_000'],
  'shared/ott/store/grants.ts': ['500'],
  'shared/ott/store/sessions.ts': ['1_000'],
  'shared/platform/aws/client.ts': ['1_000'],
  'shared/platform/aws/stage-states.ts': ['5_000', '5_000', '2_500', '5_000'],
  'shared/platform/aws/kms-client.ts': ['2_500'],
  'shared/platform/aws/secrets-client.ts': ['2_500'],
  'shared/platform/outside/issuer-keys.ts': ['1_500'],
  'shared/chain/rpc/rpc-endpoints.ts': ['5_000'],
  'shared/chain/rpc/json-rpc.ts': ['2_500'],
  'shared/platform/store/client.ts': ['2_500'],
  'shared/platform/store/outages.ts': ['300'],
};

describe('the deadlines of the service', () => {
  it('have these values', () => {
    const given = /(?:patient\(|(?:request|connection)TimeoutMilliseconds: )(?:[\w.]+ \?\? )?([\d_]+)/g;
    const found = sourcesIn('functions', 'shared').map(({ file, text }) => [
      file,
      [...text.matchAll(given)].map(([, milliseconds]) => milliseconds),
    ]);

    expect(Object.fromEntries(found.filter(([, values]) => values?.length))).toEqual(deadlines);
  });

  it('are all longer where there is more patience', () => {
    // A client of AWS multiplies what it is given.
    const impatient =
      /AbortSignal\.timeout\([\d_]+|withDeadline\([\d_]+|callSignal\([\d_]+|[tT]imeoutMilliseconds = [\d_]+/g;
    const found = sourcesIn('functions', 'shared').flatMap(({ file, text }) =>
      [...text.matchAll(impatient)].map(([written]) => `${file}: ${written}`),
    );

    // The template's timeout, which the function multiplies.
    const given = 'shared/platform/time/handler-lifetime.ts: TimeoutMilliseconds = 10_000';
    expect(found).toEqual([given]);
  });
});

describe('patience', () => {
  beforeEach(() => vi.resetModules());
  afterEach(() => vi.unstubAllEnvs());

  const load = () => import('../../../shared/platform/time/patience.ts');

  it('is not longer than the deadlines say unless PATIENCE says so', async () => {
    vi.stubEnv('PATIENCE', undefined);
    const { patient } = await load();
    const { handlerLifetimeMilliseconds, handlerTimeoutMilliseconds } = await import(
      '../../../shared/platform/time/handler-lifetime.ts'
    );

    expect(patient(1_400)).toBe(1_400);
    expect([handlerLifetimeMilliseconds, handlerTimeoutMilliseconds]).toEqual([10_000, 10_000]);
  });

  it('makes each deadline so many times longer', async () => {
    vi.stubEnv('PATIENCE', '7');

    expect((await load()).patient(1_000)).toBe(7_000);
  });

  it.each(['0.5', '101', 'long', ''])('cannot be %j', async (given) => {
    vi.stubEnv('PATIENCE', given);

    await expect(load()).rejects.toThrow(`PATIENCE is ${given}, and must be from 1 to 100`);
  });

  it('is asked of no function on AWS', () => {
    const functions = templateOf('prod').Resources;

    expect(JSON.stringify(functions)).not.toContain('PATIENCE');
  });
});

describe('the tests', () => {
  it('wait so that a failure tells how starved the process was', () => {
    const found = sourcesIn('test', 'packages/template-runtime/test', 'packages/client/test').filter(
      ({ text }) => /vi\s*\.wait(For|Until)\(|expect\s*\.poll\(/.test(text),
    );

    expect(found.map(({ file }) => file)).toEqual([]);
  });
});
