import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JWTPayload } from 'jose';
import { createAlarmEngine } from 'template-runtime/engines/alarms/engine.ts';
import type { AlarmEngine } from 'template-runtime/engines/alarms/types.ts';
import { embeddedMetrics } from 'template-runtime/engines/logs/metrics-in.ts';
import { createMetrics } from 'template-runtime/engines/metrics/engine.ts';
import type { Metrics } from 'template-runtime/engines/metrics/types.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvalidTokenError, IssuerUnavailableError } from '../../../shared/platform/auth/errors.ts';
import { loginTally } from '../../../shared/platform/aws/login-tally.ts';
import {
  type AccessTokenVerifierOptions,
  accessTokenVerifier,
} from '../../../shared/platform/outside/access-token-verifier.ts';
import { startIssuer, type TestIssuer } from '../../support/platform/issuer.ts';
import { remedy } from '../../support/platform/remedy.ts';
import { deployAlarms } from '../../support/platform/template-alarms.ts';

const minute = 60_000;
let folder: string;
let now: number;
let issuer: TestIssuer;
let metrics: Metrics;
let alarms: AlarmEngine;

beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-logins-'));
  now = Date.parse('2026-11-21T12:00:30Z');
  metrics = createMetrics({ stateDirectory: folder, clock: () => now });
  alarms = createAlarmEngine({
    stateDirectory: folder,
    metrics,
    clock: () => now,
    messaging: { mayPublish: async () => 'allowed', publish: async () => ({ messageId: 'm' }) },
    onError: (error) => {
      throw error;
    },
  });
  await deployAlarms(alarms);
  // In development mode, Powertools writes to the console, which the test forwards to the metrics.
  vi.stubEnv('POWERTOOLS_DEV', 'true');
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    for (const datum of embeddedMetrics(JSON.parse(line))) metrics.put({ ...datum, at: now });
  });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await alarms.stop();
  metrics.stop();
  rmSync(folder, { recursive: true });
});

const tokenOf = async (overrides: JWTPayload = {}): Promise<string> =>
  `Bearer ${await issuer.sign({
    iss: issuer.url,
    aud: 'marquee',
    sub: 'ana',
    azp: 'demo-web',
    exp: now / 1_000 + 3_600,
    ...overrides,
  })}`;

const verifierOf = (options: Partial<AccessTokenVerifierOptions> = {}) => {
  const verify = accessTokenVerifier({
    issuer: issuer.url,
    audience: { claim: 'aud', values: ['marquee'] },
    clock: () => now,
    onJudged: loginTally({ namespace: 'Marquee/local', clock: () => now }),
    ...options,
  });
  return async (header: string) => {
    await verify(header).catch((error: unknown) => {
      // A token with an unknown key gets a 503 while the keys may not be read again.
      if (!(error instanceof InvalidTokenError || error instanceof IssuerUnavailableError)) throw error;
    });
  };
};

/**
 * For a quarter of an hour, each minute has these calls. Returns the alarms that are on then, without those on a canary
 * and a schedule that nobody runs here.
 */
const alarmsAfter = async (
  call: (header: string) => Promise<void>,
  calls: readonly { readonly of: string; readonly aMinute: number }[],
): Promise<readonly string[]> => {
  const ofAMinute = calls.flatMap(({ of, aMinute }) => Array.from({ length: aMinute }, () => of));
  for (let passed = 0; passed < 15; passed += 1) {
    for (const of of ofAMinute) {
      now += minute / ofAMinute.length;
      await call(of);
    }
  }
  now += minute;
  await alarms.evaluate();
  return alarms
    .list()
    .filter(({ state, watched }) => state === 'ALARM' && watched.TreatMissingData !== 'breaching')
    .map(({ name }) => name);
};

const onlyLogins = [expect.stringContaining('LoginsRefused')];

describe('the alarm on refused logins', () => {
  it.each<readonly [string, Partial<AccessTokenVerifierOptions>]>([
    ['another audience', { audience: { claim: 'aud', values: ['renamed'] } }],
    ['another client as audience', { audience: { claim: 'client_id', values: ['renamed'] } }],
    ['other algorithms', { algorithms: ['ES256'] }],
    ['another type of token', { tokenType: 'at+jwt' }],
  ])('goes off when the stage has %s than its issuer', async (_, options) => {
    const header = await tokenOf();

    expect(await alarmsAfter(verifierOf(options), [{ of: header, aMinute: 30 }])).toEqual(onlyLogins);
  });

  it('goes off when tokens name another issuer than the stage', async () => {
    const header = await tokenOf({ iss: 'https://new.example.com' });

    const ringing = await alarmsAfter(verifierOf(), [{ of: header, aMinute: 30 }]);

    remedy('logins-are-refused');
    expect(ringing).toEqual(onlyLogins);
  });

  it('goes off when tokens are signed by a key that the issuer does not publish', async () => {
    const header = await tokenOf();
    await issuer.rotate();

    expect(await alarmsAfter(verifierOf(), [{ of: header, aMinute: 15 }])).toEqual(onlyLogins);
  });

  it('goes off when the clients of one of several audiences are refused', async () => {
    const calls = [
      { of: await tokenOf(), aMinute: 30 },
      { of: await tokenOf({ aud: 'tv' }), aMinute: 15 },
    ];

    expect(await alarmsAfter(verifierOf(), calls)).toEqual(onlyLogins);
  });

  it('stays off while viewers with good tokens are refused what they have not bought', async () => {
    const header = await tokenOf();
    const call = verifierOf();
    const refusedByRules = async (of: string) => {
      await call(of);
      const dimensions = { ApiName: 'marquee-local-base', Stage: 'live' };
      metrics.put({ namespace: 'AWS/ApiGateway', name: 'Count', dimensions, value: 1, at: now });
      metrics.put({ namespace: 'AWS/ApiGateway', name: '4XXError', dimensions, value: 1, at: now });
    };

    expect(await alarmsAfter(refusedByRules, [{ of: header, aMinute: 60 }])).toEqual([]);
  });

  it.each<readonly [string, () => Promise<string>]>([
    ['expired tokens', () => tokenOf({ exp: now / 1_000 - 60 })],
    ['expired tokens of an old audience', () => tokenOf({ exp: now / 1_000 - 60, aud: 'old' })],
    ['text that is no token', async () => 'Bearer abc.def.ghi'],
    ['no token at all', async () => ''],
  ])('stays off while clients send %s', async (_, header) => {
    expect(await alarmsAfter(verifierOf(), [{ of: await header(), aMinute: 60 }])).toEqual([]);
  });

  it('stays off while clients send expired tokens of a key that is gone', async () => {
    const old = await tokenOf({ exp: now / 1_000 - 60 });
    await issuer.rotate();

    expect(await alarmsAfter(verifierOf(), [{ of: old, aMinute: 60 }])).toEqual([]);
  });

  it('stays off while a few calls in five minutes have a token for another service', async () => {
    const other = await tokenOf({ aud: 'other' });

    expect(await alarmsAfter(verifierOf(), [{ of: other, aMinute: 3 }])).toEqual([]);
  });

  it('stays off while few of many calls have a token for another service', async () => {
    const calls = [
      { of: await tokenOf(), aMinute: 90 },
      { of: await tokenOf({ aud: 'other' }), aMinute: 6 },
    ];

    expect(await alarmsAfter(verifierOf(), calls)).toEqual([]);
  });
});
