import { createFirewalls } from 'template-runtime/engines/firewall/engine.ts';
import type { WebRequest } from 'template-runtime/engines/firewall/types.ts';
import { webAcl } from 'template-runtime/resources/wafv2-web-acl.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { parseStage } from '../../../../config/stage.ts';
import { remedy } from '../../../support/platform/remedy.ts';
import {
  resourcesOf,
  type StackTemplate,
  templateOf,
  templateOfStage,
} from '../../../support/platform/stack.ts';

const api = 'arn:aws:apigateway:eu-central-1::/restapis/base/stages/prod';
const start = Date.parse('2026-11-20T20:00:00Z');
const minute = 60_000;

let now: number;
let firewalls: ReturnType<typeof createFirewalls>;

const deploy = async (template: StackTemplate): Promise<void> => {
  firewalls = createFirewalls({ clock: () => now });
  const [[logicalId, { Properties }] = ['', { Properties: {} }]] = resourcesOf(
    template,
    'AWS::WAFv2::WebACL',
  );
  const { attributes } = await webAcl.deploy(webAcl.properties.parse(Properties), {
    logicalId,
    stackName: 'Marquee-prod',
    partition: 'aws',
    region: 'eu-central-1',
    accountId: '111122223333',
    assemblyDirectory: '',
    engines: { firewalls } as never,
  });
  firewalls.associate(api, attributes?.Arn ?? '');
};

beforeEach(async () => {
  now = start;
  await deploy(templateOf('prod'));
});

const request = ({
  key,
  address = '198.51.100.7',
  path = '/prod/api/v1/nft/contracts/0x12/mint',
}: {
  readonly key?: string;
  readonly address?: string;
  readonly path?: string;
}): WebRequest => ({
  uriPath: path,
  method: 'POST',
  sourceIp: address,
  header: (name) => (name === 'x-api-key' ? key : undefined),
});

/** Sends requests at a rate. Returns how many were refused. */
const send = (
  { perSecond, from, until }: { readonly perSecond: number; readonly from: number; readonly until: number },
  next: (index: number) => WebRequest,
): number => {
  let refused = 0;
  const count = Math.round(((until - from) / 1_000) * perSecond);
  for (let index = 0; index < count; index++) {
    now = from + Math.floor((index * 1_000) / perSecond);
    if (firewalls.judge(api, next(index)) !== undefined) refused += 1;
  }
  return refused;
};

const { ratePerSecond, burst } = prod.tiers.premium ?? { ratePerSecond: 0, burst: 0 };

describe('the firewall of prod', () => {
  it('never rejects a premium customer that calls at its rate from one address, even after a burst', () => {
    const mint = () => request({ key: 'premium' });
    const inBurst = send({ perSecond: burst, from: start, until: start + 1_000 }, mint);
    const atRate = send({ perSecond: ratePerSecond, from: start + 1_000, until: start + 6 * minute }, mint);

    expect([inBurst, atRate]).toEqual([0, 0]);
  });

  it('does not reject several customers behind one address that call at the rates of their tiers', () => {
    const turns = [...Array<string>(10).fill('premium'), 'standard'];
    const rate = ratePerSecond * 1.1;

    const refused = send({ perSecond: rate, from: start, until: start + 6 * minute }, (index) =>
      request({ key: turns[index % turns.length] ?? '' }),
    );

    expect(refused).toBe(0);
  });

  it('rejects a key above its rate with 429, a Retry-After header, and headers for browsers', () => {
    const mint = () => request({ key: 'premium' });
    const refused = send({ perSecond: ratePerSecond * 1.2, from: start, until: start + 6 * minute }, mint);

    expect(refused).toBeGreaterThan(0);
    const { response } = firewalls.judge(api, mint()) ?? {};
    expect(response?.status).toBe(429);
    expect(JSON.parse(response?.body ?? '')).toEqual({ status: 429, message: 'TOO_MANY_REQUESTS' });
    expect(Object.fromEntries(response?.headers ?? [])).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'etag, link, location, retry-after, x-amzn-requestid',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json',
      'Retry-After': '30',
    });
  });

  it('accepts a key again after the time in Retry-After', () => {
    const mint = () => request({ key: 'premium' });
    send({ perSecond: 540, from: start, until: start + 5 * minute }, mint);
    expect(firewalls.judge(api, mint())).toBeDefined();

    now += 30_000;

    expect(firewalls.judge(api, mint())).toBeUndefined();
  });

  it('blocks an IP address that tries many API keys that do not exist', () => {
    const refused = send({ perSecond: 1_000, from: start, until: start + 6 * minute }, (index) =>
      request({ key: `made-up-${index}` }),
    );

    expect(refused).toBeGreaterThan(100_000);
  });

  it('counts each address separately', () => {
    const refused = send({ perSecond: 1_000, from: start, until: start + 5 * minute }, (index) =>
      request({ key: 'premium', address: `198.51.100.${index % 2}` }),
    );

    expect(refused).toBe(0);
  });

  it('rejects an address that reads the list of events above its limit', () => {
    const list = () => request({ path: '/prod/api/v3/ott/events' });

    expect(send({ perSecond: 150, from: start, until: start + 6 * minute }, list)).toBe(0);
    now += 10 * minute;
    expect(send({ perSecond: 300, from: now, until: now + 6 * minute }, list)).toBeGreaterThan(0);
  });

  it('accepts all viewers behind one address after a deployment with a higher limit', async () => {
    const list = () => request({ path: '/prod/api/v3/ott/events' });
    const evening = () => send({ perSecond: 300, from: now, until: now + 6 * minute }, list);
    expect(evening()).toBeGreaterThan(1_000);

    remedy('the-firewall-refuses-requests');
    const firewall = { ...prod.firewall, requestsPerAddressAndPath: 100_000 } as NonNullable<
      typeof prod.firewall
    >;
    await deploy(templateOfStage({ ...prod, firewall }));

    expect(evening()).toBe(0);
  });
});

describe('the file of a stage', () => {
  it.each([
    ['requestsPerAddress', 157_000],
    ['requestsPerKeyAndPath', 157_000],
  ])('is rejected if a customer at its tier’s rate would exceed firewall.%s', (field, limit) => {
    const firewall = { ...prod.firewall, [field]: limit } as NonNullable<typeof prod.firewall>;

    expect(() => parseStage('prod', { ...prod, firewall })).toThrow(
      new RegExp(`firewall\\.${field}: must be at least 158550: .*the tier premium`),
    );
  });
});

it('every limit of the firewall is counted by an alarm that names its rule', () => {
  const rules = resourcesOf(templateOf('prod'), 'AWS::WAFv2::WebACL').flatMap(
    ([, { Properties }]) => Properties.Rules as { Name: string; Action?: unknown }[],
  );
  const alarms = resourcesOf(templateOf('prod'), 'AWS::CloudWatch::Alarm').flatMap(
    ([
      ,
      {
        Properties: { AlarmDescription, Metrics = [] },
      },
    ]) => {
      const counted = (Metrics as { MetricStat?: { Metric: CountedRule } }[]).flatMap(({ MetricStat }) =>
        MetricStat?.Metric.MetricName === 'BlockedRequests' ? [MetricStat.Metric] : [],
      );
      return counted.length === 0 ? [] : [{ told: String(AlarmDescription), counted }];
    },
  );
  const limits = rules.filter(({ Action }) => Action !== undefined).map(({ Name }) => Name);

  expect(alarms).toHaveLength(1);
  expect(
    alarms[0]?.counted.map(({ Dimensions }) => Dimensions.find(({ Name }) => Name === 'Rule')?.Value),
  ).toEqual(limits);
  expect(alarms[0]?.told).toContain(`answers 429 to callers above its limit`);
  expect(alarms[0]?.told).toContain(`: ${limits.join(', ')}.`);
});

interface CountedRule {
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
}
