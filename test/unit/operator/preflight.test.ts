import { describe, expect, it } from 'vitest';
import { prod } from '../../../config/prod.ts';
import { parseStage, type StageInput } from '../../../config/stage.ts';
import type { Account } from '../../../operator/preflight/account.ts';
import { preflight } from '../../../operator/preflight/preflight.ts';

/** Prod, with everything set that it needs. */
const ready: StageInput = {
  ...prod,
  alarmEmails: ['operators@marquee.test'],
  publicBaseUrls: { base: 'https://api.marquee.test' },
  oidc: { issuer: 'https://id.marquee.test', audience: { claim: 'aud', values: ['marquee'] } },
  ott: {
    ...prod.ott,
    entitlement: { url: 'https://entitlement.marquee.test' },
    defaultApplication: 'fan-app',
    playback: { signing: 'url' },
  },
};

const inTheWay = async (
  input: StageInput,
  account: Partial<{
    all: number;
    unreserved: number;
    rate: number;
    burst: number;
    isDeployed: boolean;
    signatures: number;
    published: number;
    filterPolicies: number;
  }> = {},
): Promise<string[]> => {
  const { all = 1_000, unreserved = 1_000, rate = 10_000, burst = 5_000, isDeployed = false } = account;
  const { signatures = 1_000, published = 30_000, filterPolicies = 200 } = account;
  const asked: Account = {
    concurrency: async () => ({ all, unreserved }),
    gatewayLimits: async () => ({ ratePerSecond: rate, burst }),
    quotas: async () => ({
      signaturesPerSecond: { value: signatures, isListed: true },
      publishedPerSecond: { value: published, isListed: true },
      filterPoliciesPerTopic: { value: filterPolicies, isListed: true },
    }),
    isDeployed: async () => isDeployed,
  };
  const findings = await preflight({ account: asked }, { stage: parseStage('the test', input) });
  return findings.filter(({ ok }) => !ok).map(({ check }) => check);
};

describe('preflight', () => {
  it('has nothing against a stage that is ready', async () => {
    expect(await inTheWay(ready)).toEqual([]);
  });

  it('names what the stage’s file still misses', async () => {
    const unfinished: StageInput = {
      ...prod,
      protected: false,
      alarmEmails: [],
      publicBaseUrls: {},
      oidc: { issuer: 'https://id.example.com', audience: { claim: 'aud', values: ['marquee'] } },
    };

    expect(await inTheWay(unfinished)).toEqual(['placeholders', 'publicBaseUrls.base', 'alarmEmails']);
  });

  it('wants no address of its own on a test chain', async () => {
    const onAmoy = { ...ready, publicBaseUrls: {}, nft: { ...prod.nft, chainId: 80_002 as const } };

    expect(await inTheWay(onAmoy)).toEqual([]);
  });

  it('wants a first deployment unprotected, and a later one protected', async () => {
    expect(await inTheWay({ ...ready, protected: true })).toEqual(['protected']);
    expect(await inTheWay({ ...ready, protected: false }, { isDeployed: true })).toEqual(['protected']);
    expect(await inTheWay({ ...ready, protected: true }, { isDeployed: true })).toEqual([]);
  });

  it.each([
    { unreserved: 835, wrong: [] },
    { unreserved: 834, wrong: ['Lambda: concurrent executions'] },
    { all: 10, unreserved: 10, wrong: ['Lambda: concurrent executions'] },
  ])(
    'wants 100 environments left beside the 735 that prod reserves: $unreserved',
    async ({ wrong, ...account }) => {
      const concurrency = { waiter: 5, watcher: 10, publisher: 60, signing: 70, ott: 150 };

      expect(await inTheWay({ ...ready, concurrency }, account)).toEqual(wrong);
    },
  );

  it('counts the stage’s own reservations once it is deployed', async () => {
    const deployed = { all: 1_000, unreserved: 265, isDeployed: true };

    expect(await inTheWay({ ...ready, protected: true }, deployed)).toEqual([]);
  });

  it('wants the gateway’s limits above the stage’s', async () => {
    expect(await inTheWay(ready, { rate: 100, burst: 100 })).toEqual([
      'API Gateway: requests a second',
      'API Gateway: burst',
    ]);
  });

  it.each([
    { signatures: 467, wrong: [] },
    { signatures: 466, wrong: ['KMS: signatures a second'] },
    { published: 1_999, wrong: ['SNS: messages published a second'] },
    { filterPolicies: 199, wrong: ['SNS: filter policies of a topic'] },
  ])('wants quotas of KMS and SNS for what prod lets in: %j', async ({ wrong, ...account }) => {
    expect(await inTheWay(ready, account)).toEqual(wrong);
  });
});
