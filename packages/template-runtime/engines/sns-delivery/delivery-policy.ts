import * as z from 'zod';
import { ServiceFault } from '../service-fault.ts';

const retryPolicyFields = z
  .strictObject({
    minDelayTarget: z.int().min(1).max(3_600),
    maxDelayTarget: z.int().min(1).max(3_600),
    numRetries: z.int().min(0).max(100),
    numNoDelayRetries: z.int().min(0),
    numMinDelayRetries: z.int().min(0),
    numMaxDelayRetries: z.int().min(0),
    backoffFunction: z.enum(['linear', 'arithmetic', 'geometric', 'exponential']),
  })
  .partial();
const throttlePolicy = z.strictObject({ maxReceivesPerSecond: z.int().min(1).nullish() });
const requestPolicy = z.strictObject({
  headerContentType: z
    .templateLiteral([z.enum(['text', 'application']), '/', z.string()])
    .or(z.literal('text/plain; charset=UTF-8'))
    .optional(),
});

const subscriptionPolicy = z.strictObject({
  healthyRetryPolicy: retryPolicyFields.nullish(),
  throttlePolicy: throttlePolicy.nullish(),
  requestPolicy: requestPolicy.nullish(),
  guaranteed: z.boolean().optional(),
});
const topicPolicy = z.strictObject({
  http: z.strictObject({
    defaultHealthyRetryPolicy: retryPolicyFields.nullish(),
    disableSubscriptionOverrides: z.boolean().optional(),
    defaultThrottlePolicy: throttlePolicy.nullish(),
    defaultRequestPolicy: requestPolicy.nullish(),
  }),
});

export interface RetryPolicy {
  readonly minDelayTarget: number;
  readonly maxDelayTarget: number;
  readonly numRetries: number;
  readonly numNoDelayRetries: number;
  readonly numMinDelayRetries: number;
  readonly numMaxDelayRetries: number;
  readonly backoffFunction: 'linear' | 'arithmetic' | 'geometric' | 'exponential';
}

export interface EffectivePolicy {
  readonly retry: RetryPolicy;
  readonly maxReceivesPerSecond?: number;
  readonly contentType: string;
}

/** SNS's default: three retries, 20 s apart ("Amazon SNS message delivery retries"). */
const defaultRetryPolicy: RetryPolicy = {
  minDelayTarget: 20,
  maxDelayTarget: 20,
  numRetries: 3,
  numNoDelayRetries: 0,
  numMinDelayRetries: 0,
  numMaxDelayRetries: 0,
  backoffFunction: 'linear',
};
export const defaultContentType = 'text/plain; charset=UTF-8';

/** SNS's limit for the total delay of all retries of a message. */
const longestRetryingSeconds = 3_600;

const given = (fields: z.infer<typeof retryPolicyFields> | null | undefined): Partial<RetryPolicy> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined));

/** Maps a retry's position among the backoff retries (0 first, 1 last) to the retry's delay (0 minimum, 1 maximum). */
const backoff: Record<RetryPolicy['backoffFunction'], (position: number) => number> = {
  linear: (position) => position,
  arithmetic: (position) => (position * (position + 1)) / 2,
  geometric: (position) => (3 ** position - 1) / 2,
  exponential: (position) => (10 ** position - 1) / 9,
};

/** Seconds to wait before retry number `retry` (from 1); undefined when there are no more retries. */
export const retryDelaySeconds = (policy: RetryPolicy, retry: number): number | undefined => {
  if (retry > policy.numRetries) return undefined;
  if (retry <= policy.numNoDelayRetries) return 0;
  const afterImmediate = retry - policy.numNoDelayRetries;
  if (afterImmediate <= policy.numMinDelayRetries) return policy.minDelayTarget;
  const backoffRetries =
    policy.numRetries - policy.numNoDelayRetries - policy.numMinDelayRetries - policy.numMaxDelayRetries;
  const afterMinimum = afterImmediate - policy.numMinDelayRetries;
  if (afterMinimum > backoffRetries) return policy.maxDelayTarget;
  const position = backoffRetries === 1 ? 0 : (afterMinimum - 1) / (backoffRetries - 1);
  const { minDelayTarget, maxDelayTarget, backoffFunction } = policy;
  return Math.round(minDelayTarget + (maxDelayTarget - minDelayTarget) * backoff[backoffFunction](position));
};

const invalid = (reason: string): ServiceFault =>
  new ServiceFault({ code: 'InvalidParameter', message: `Invalid parameter: DeliveryPolicy: ${reason}` });

const read = <Policy>(schema: z.ZodType<Policy>, text: string): Policy => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalid('failed to parse JSON.');
  }
  const policy = schema.safeParse(parsed);
  if (!policy.success) throw invalid(z.prettifyError(policy.error).replaceAll('\n', ' '));
  return policy.data;
};

const checkRetryPolicy = (policy: RetryPolicy): void => {
  const phases = policy.numNoDelayRetries + policy.numMinDelayRetries + policy.numMaxDelayRetries;
  if (phases > policy.numRetries)
    throw invalid('numRetries must be at least the sum of the retries of all phases');
  if (policy.minDelayTarget > policy.maxDelayTarget)
    throw invalid('minDelayTarget must not exceed maxDelayTarget');
  let total = 0;
  for (let retry = 1; retry <= policy.numRetries; retry += 1) total += retryDelaySeconds(policy, retry) ?? 0;
  if (total > longestRetryingSeconds) {
    throw invalid(`the total delay of all retries must not exceed ${longestRetryingSeconds} seconds`);
  }
};

/**
 * Combines a subscription's policy with its topic's policy. Throws `InvalidParameter` on a policy that SNS would
 * refuse.
 */
export const effectivePolicy = ({
  subscription,
  topic,
}: {
  readonly subscription?: string | undefined;
  readonly topic?: string | undefined;
}): EffectivePolicy => {
  const http = topic ? read(topicPolicy, topic).http : undefined;
  const own =
    subscription && !http?.disableSubscriptionOverrides ? read(subscriptionPolicy, subscription) : undefined;
  const retry: RetryPolicy = {
    ...defaultRetryPolicy,
    ...given(own?.healthyRetryPolicy ?? http?.defaultHealthyRetryPolicy),
  };
  checkRetryPolicy(retry);
  const maximum = (own?.throttlePolicy ?? http?.defaultThrottlePolicy)?.maxReceivesPerSecond;
  return {
    retry,
    ...(maximum && { maxReceivesPerSecond: maximum }),
    contentType: (own?.requestPolicy ?? http?.defaultRequestPolicy)?.headerContentType ?? defaultContentType,
  };
};

/** Formats the `EffectiveDeliveryPolicy` of GetSubscriptionAttributes. */
export const showEffectivePolicy = ({ retry, maxReceivesPerSecond, contentType }: EffectivePolicy): string =>
  JSON.stringify({
    healthyRetryPolicy: retry,
    sicklyRetryPolicy: null,
    throttlePolicy: maxReceivesPerSecond === undefined ? null : { maxReceivesPerSecond },
    requestPolicy: { headerContentType: contentType },
    guaranteed: false,
  });
