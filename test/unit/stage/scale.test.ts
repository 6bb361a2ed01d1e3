import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { prod } from '../../../config/prod.ts';
import { parseStage } from '../../../config/stage.ts';
import { failureOf } from '../../../operator/platform/terminal/exit-code.ts';
import { createProgram } from '../../../operator/program.ts';
import { limitsOf } from '../../../operator/stage/scale/account-limits.ts';
import { countedUnits } from '../../../operator/stage/scale/counted-units.ts';
import { awsDefaults, type Load, shareAtMost, sharesOf } from '../../../operator/stage/scale/limits.ts';
import { scaleFile } from '../../../tools/bench/cost/guide.ts';
import { withScale } from '../../../tools/bench/cost/scale-page.ts';

const stage = parseStage('config/prod.ts', prod);
const units = countedUnits();
const nothing: Load = { mints: 0, changes: 0, events: 0, lists: 0, viewers: 0, applications: 5 };
const sharesFor = (load: Partial<Load>, account = awsDefaults) =>
  sharesOf({ ...nothing, ...load }, { stage, account, units });
const worst = (load: Partial<Load>) => sharesFor(load)[0];

describe('the shares of the limits that a load uses', () => {
  it('are all small if the load is low', () => {
    const shares = sharesFor({ mints: 1, changes: 1, lists: 1, viewers: 10 });

    expect(shares.length).toBeGreaterThan(20);
    for (const { share = 0 } of shares) expect(share).toBeLessThan(shareAtMost / 2);
  });

  it('exceed most limits if the load is very high', () => {
    const shares = sharesFor({ mints: 10_000, changes: 100_000, lists: 250_000, viewers: 5_000_000 });
    const known = shares.filter(({ share }) => share !== undefined);

    expect(known.filter(({ share = 0 }) => share > 1).length).toBeGreaterThan(known.length / 2);
  });

  it('are listed with the largest first and the unknown ones last, and grow with the load', () => {
    const shares = sharesFor({ mints: 100, changes: 500, lists: 2_500, viewers: 50_000 });
    const known = shares.flatMap(({ share }) => (share === undefined ? [] : [share]));

    expect(known).toEqual([...known].sort((one, other) => other - one));
    expect(shares.findLastIndex(({ share }) => share !== undefined)).toBe(known.length - 1);
    for (const { limit, share = 0 } of sharesFor({ mints: 100 })) {
      const twice = sharesFor({ mints: 200 }).find((each) => each.limit === limit)?.share ?? 0;
      expect(twice).toBeGreaterThanOrEqual(share);
    }
  });

  it.each([
    ['lists', { lists: 10_000 }, /lists|events/],
    ['mints', { mints: 500 }, /waiter|signer|collection|gas/],
    ['changes', { changes: 20_000 }, /user\/data|SNS|recorder|publisher|unreserved/],
    ['viewers', { viewers: 10_000_000 }, /stream/],
    ['events', { events: 100 }, /publisher of events/],
  ] as const)(
    'are largest for %s at the expected limit, with an explanation and a remedy',
    (_, load, limit) => {
      expect(worst(load)?.limit).toMatch(limit);
      expect(worst(load)?.means.length).toBeGreaterThan(10);
      expect(worst(load)?.moves.length).toBeGreaterThan(3);
    },
  );

  it('omit loads that are not given, and are unknown for a provider’s rate', () => {
    expect(sharesFor({ lists: 1 }).map(({ limit }) => limit)).not.toContain('gas in the blocks of the chain');
    const unknown = sharesFor({ mints: 1, lists: 1 }, { ...awsDefaults, signatures: undefined });
    expect(unknown.filter(({ share }) => share === undefined).map(({ limit }) => limit)).toEqual(
      expect.arrayContaining(['KMS signatures', 'the RPC provider', 'the entitlement service']),
    );
  });

  it('depend on the given limits, and on one shared pool if the stage reserves nothing', () => {
    const { concurrency: _, ...shared } = stage;
    const of = (limit: string, more: Partial<Parameters<typeof sharesOf>[1]> = {}) =>
      sharesOf(
        { ...nothing, mints: 10, lists: 100 },
        { stage: shared, account: awsDefaults, units, ...more },
      ).find((each) => each.limit === limit)?.share ?? 0;
    const fixed = { partitionWrites: 100, entitlementMilliseconds: 800, blocksInFlight: 1 };
    const signer = 'a signer’s partition of the transaction log';
    const pool = 'Lambda’s unreserved concurrency';

    expect(of(signer, { fixed })).toBeCloseTo(10 * of(signer));
    expect(of(pool)).toBeCloseTo(
      of('Lambda environments for lists of events') + of('Lambda environments for minting'),
    );
    expect(of(pool, { fixed })).toBeGreaterThan(5 * of(pool));
  });

  it('are computed with the account’s own limits, or with AWS’s defaults if these cannot be read', async () => {
    const account = {
      identity: async () => ({ accountId: '123456789012', region: 'eu-central-1' }),
      concurrency: async () => ({ all: 10, unreserved: 10 }),
      gatewayLimits: async () => ({ ratePerSecond: 2_500, burst: 1 }),
      quotas: async () => ({
        signaturesPerSecond: { value: 300 },
        publishedPerSecond: { unknown: 'not known' },
        filterPoliciesPerTopic: { value: 200 },
      }),
    };
    const identity = async () => {
      throw new Error('no credentials');
    };

    expect((await limitsOf(account)).limits).toEqual({
      concurrency: 10,
      gatewayRequests: 2_500,
      signatures: 300,
      published: undefined,
    });
    expect(await limitsOf({ ...account, identity })).toEqual({
      limits: awsDefaults,
      remark: expect.stringContaining('no credentials'),
    });
  });
});

describe('the stage file of prod', () => {
  it('supports ten times an ordinary evening with a fifth of each limit to spare', () => {
    const shares = sharesFor({ mints: 100, changes: 500, lists: 2_500, viewers: 50_000 });

    expect(shares.filter(({ share = 0 }) => share > shareAtMost)).toEqual([]);
  });
});

describe('the command "scale"', () => {
  const printed: string[] = [];
  const run = async (...argv: readonly string[]): Promise<unknown> => {
    printed.length = 0;
    // Keeps the SDK from looking for an account.
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/dev/null');
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    }
    const words = ['--json', 'preflight', ...argv];
    const program = await createProgram(words);
    return program.parseAsync(words, { from: 'user' }).then(
      () => ({ exitCode: 0 }),
      (error: unknown) => failureOf(error),
    );
  };
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it('succeeds for a low load, and prints the source of the limits and the number of unknown ones', async () => {
    expect(await run('--stage', 'prod', '--mints', '1', '--lists', '10')).toEqual({ exitCode: 0 });

    expect(printed.join('')).toMatch(/AWS's defaults, because the account's limits could not be read/);
    expect(printed.join('')).toMatch(/2 of \d+ limits are unknown/);
  });

  it('fails for a load far above a limit, and prints the largest share first', async () => {
    expect(await run('--stage', 'prod', '--lists', '100000', '--mints', '1')).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^This load uses more than 80 % of the limit for \d+ of \d+ limits\.$/),
    });

    expect(printed.join('')).toMatch(/^[^}]*Lambda environments for lists of events/);
  });

  it.each([
    [['--mints', '-1']],
    [['--changes', 'many']],
    [['--lists', '2.5']],
    [['--viewers', '0']],
    [['--mints', '1', '--applications', '0']],
  ])('rejects %j', async (argv) => {
    expect(await run('--stage', 'prod', ...argv)).toMatchObject({ exitCode: 2 });
    expect(printed.join('')).toMatch(/must be a whole number from 1 up/);
  });

  it('uses the local stage’s file if no stage is named, and prints that', async () => {
    expect(await run('--mints', '1')).toMatchObject({ exitCode: 0 });

    expect(printed.join('')).toContain('No stage is named, so the settings are those of config/local.ts.');
    expect(printed.join('')).toContain("The limits are AWS's defaults, because no stage is named.");
  });

  it('rejects a stage without a file, and a check of an account without a stage', async () => {
    expect(await run('--stage', 'nowhere', '--mints', '1')).toMatchObject({
      message: expect.stringContaining('config has no stage nowhere'),
    });
    expect(await run()).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('name the stage with --stage'),
    });
  });
});

describe('the page about scale', () => {
  it('contains the shares that the command calculates', () => {
    const page = readFileSync(scaleFile, 'utf8');
    expect(withScale(page, units)).toBe(page);
  });
});
