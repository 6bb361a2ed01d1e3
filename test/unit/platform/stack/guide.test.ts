import { readFileSync } from 'node:fs';
import { CachePolicy, OriginRequestPolicy } from 'aws-cdk-lib/aws-cloudfront';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { concurrencyConfig } from '../../../../config/concurrency.ts';
import { nftConfig } from '../../../../config/nft.ts';
import { oidcConfig } from '../../../../config/oidc.ts';
import { ottConfig } from '../../../../config/ott.ts';
import { userDataConfig } from '../../../../config/user-data.ts';
import { resourcesOf, templateOf } from '../../../support/platform/stack.ts';

const guide = readFileSync(new URL('../../../../docs/operator-guide.md', import.meta.url), 'utf8');
const stageFile = readFileSync(new URL('../../../../docs/stage-file.md', import.meta.url), 'utf8');
const prod = templateOf('prod');
const alarms = resourcesOf(prod, 'AWS::CloudWatch::Alarm').map(
  ([, { Properties }]) => (Properties.Metrics ?? [{ MetricStat: Properties }]) as { MetricStat?: unknown }[],
);

/** How far a number in the guide, found by the words around it, is from the actual number, as a fraction of it. */
const offBy = (words: RegExp, actual: number): number =>
  Math.abs(Number(words.exec(guide)?.[1]) - actual) / actual;
const little = 0.05;

const distributionText = /```json\n( +\{\n +"Aliases"[\s\S]*?)```/.exec(guide)?.[1] ?? '{}';
/** The part of a distribution's configuration that the guide shows. */
const distribution = z
  .object({
    Origins: z.object({ Items: z.array(z.object({ Id: z.string(), CustomHeaders: z.unknown() })) }),
    DefaultCacheBehavior: z.object({
      TargetOriginId: z.string(),
      CachePolicyId: z.string(),
      OriginRequestPolicyId: z.string(),
    }),
    CustomErrorResponses: z.object({
      Items: z.array(z.strictObject({ ErrorCode: z.number(), ErrorCachingMinTTL: z.literal(0) })),
    }),
  })
  .parse(JSON.parse(distributionText));

/** Each `Quantity` with the length of its list; CloudFront refuses a configuration in which they differ. */
const quantitiesIn = (value: unknown): [unknown, number][] => {
  if (typeof value !== 'object' || value === null) return [];
  const own: [unknown, number][] =
    'Quantity' in value && 'Items' in value ? [[value.Quantity, (value.Items as unknown[]).length]] : [];
  return [...own, ...Object.values(value).flatMap(quantitiesIn)];
};

describe('the CloudFront distribution in the operator guide', () => {
  it("uses existing policies: one without caching, and one with the viewer's address and country", () => {
    const { CachePolicyId, OriginRequestPolicyId, TargetOriginId } = distribution.DefaultCacheBehavior;
    expect(CachePolicyId).toBe(CachePolicy.CACHING_DISABLED.cachePolicyId);
    expect(OriginRequestPolicyId).toBe(
      OriginRequestPolicy.ALL_VIEWER_AND_CLOUDFRONT_2022.originRequestPolicyId,
    );
    expect(distribution.Origins.Items.map(({ Id }) => Id)).toEqual([TargetOriginId]);
    for (const [said, counted] of quantitiesIn(JSON.parse(distributionText))) expect(said).toBe(counted);
  });

  it('disables caching for every error code that CloudFront caches by default', () => {
    // From "HTTP 4xx and 5xx status codes that CloudFront caches", without 412 and 415, for which nothing can be set.
    const kept = [404, 405, 414, 500, 501, 502, 503, 504, 400, 403];
    const codes = distribution.CustomErrorResponses.Items.map(({ ErrorCode }) => ErrorCode);
    expect(codes).toEqual(kept.sort((one, other) => one - other));
  });
});

describe('the operator guide', () => {
  it.each(
    Object.entries({
      oidc: oidcConfig,
      nft: nftConfig,
      userData: userDataConfig,
      ott: ottConfig,
      concurrency: concurrencyConfig,
    }),
  )('has a table row for each field of `%s`', (section, { shape }) => {
    const rows = stageFile.split('\n').flatMap((line) => /^\| (`[^|]+) \|/.exec(line)?.[1] ?? []);
    const named = rows.flatMap((row) => [...row.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name));

    const missing = Object.keys(shape).filter(
      (field) =>
        !named.some((name) => [`${section}.${field}`, `.${field}`, field].some((of) => name.startsWith(of))),
    );
    expect(missing).toEqual([]);
  });

  it('states the actual numbers of resources and alarms of prod', () => {
    expect(offBy(/\| prod has (\d+) \|/, Object.keys(prod.Resources).length)).toBeLessThan(little);
    expect(offBy(/\| a stage has (\d+) \|/, alarms.length)).toBeLessThan(little);
  });
});
