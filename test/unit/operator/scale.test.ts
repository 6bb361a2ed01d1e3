import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scaleFile } from '../../../bench/cost/guide.ts';
import { withScale } from '../../../bench/cost/scale-page.ts';
import { prod } from '../../../config/prod.ts';
import { parseStage } from '../../../config/stage.ts';
import { limitsOf } from '../../../operator/scale/account-limits.ts';
import { countedUnits } from '../../../operator/scale/counted-units.ts';
import { awsDefaults, type Load, shareAtMost, sharesOf } from '../../../operator/scale/limits.ts';

const stage = parseStage('config/prod.ts', prod);
const units = countedUnits();
const nothing: Load = { mints: 0, changes: 0, lists: 0, viewers: 0, applications: 5 };
const sharesFor = (load: Partial<Load>, account = awsDefaults) =>
  sharesOf({ ...nothing, ...load }, { stage, account, units });
const worst = (load: Partial<Load>) => sharesFor(load)[0];

describe('what a load takes of each limit', () => {
  it('is little of all, far below every limit', () => {
    const shares = sharesFor({ mints: 1, changes: 1, lists: 1, viewers: 10 });

    expect(shares.length).toBeGreaterThan(20);
    for (const { share = 0 } of shares) expect(share).toBeLessThan(shareAtMost / 2);
  });

  it('is more than all of most, far above', () => {
    const shares = sharesFor({ mints: 10_000, changes: 100_000, lists: 250_000, viewers: 5_000_000 });
    const known = shares.filter(({ share }) => share !== undefined);

    expect(known.filter(({ share = 0 }) => share > 1).length).toBeGreaterThan(known.length / 2);
  });

  it('begins with the worst, ends with the unknown, and grows as the load does', () => {
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
  ] as const)('has %s give way where they go, with somebody to whom it happens', (_, load, limit) => {
    expect(worst(load)?.limit).toMatch(limit);
    expect(worst(load)?.means.length).toBeGreaterThan(10);
    expect(worst(load)?.moves.length).toBeGreaterThan(3);
  });

  it('says nothing of what is not asked for, and that nobody knows a provider’s rate', () => {
    expect(sharesFor({ lists: 1 }).map(({ limit }) => limit)).not.toContain('gas of the chain');
    const unknown = sharesFor({ mints: 1, lists: 1 }, { ...awsDefaults, signatures: undefined });
    expect(unknown.filter(({ share }) => share === undefined).map(({ limit }) => limit)).toEqual(
      expect.arrayContaining(['KMS signatures', 'the RPC provider', 'the entitlement service']),
    );
  });

  it('is of the account’s own limits, and of AWS’s defaults where it does not answer', async () => {
    const account = {
      place: async () => ({ accountId: '123456789012', region: 'eu-central-1' }),
      concurrency: async () => ({ all: 10, unreserved: 10 }),
      gatewayLimits: async () => ({ ratePerSecond: 2_500, burst: 1 }),
      quotas: async () => ({
        signaturesPerSecond: { value: 300 },
        publishedPerSecond: { unknown: 'not known' },
        filterPoliciesPerTopic: { value: 200 },
      }),
    };
    const place = async () => {
      throw new Error('no credentials');
    };

    expect((await limitsOf(account)).limits).toEqual({
      concurrency: 10,
      gatewayRequests: 2_500,
      signatures: 300,
      published: undefined,
    });
    expect(await limitsOf({ ...account, place })).toEqual({
      limits: awsDefaults,
      remark: expect.stringContaining('no credentials'),
    });
  });
});

describe('the page on scale', () => {
  it('has the shares that the command says, as `node scripts/write-costs.ts` writes them', () => {
    const page = readFileSync(scaleFile, 'utf8');
    expect(withScale(page, units)).toBe(page);
  });
});
