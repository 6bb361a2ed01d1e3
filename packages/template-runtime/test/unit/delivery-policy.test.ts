import { describe, expect, it } from 'vitest';
import { effectivePolicy, retryDelaySeconds } from '../../engines/sns-delivery/delivery-policy.ts';

const delays = (healthyRetryPolicy: Record<string, unknown>): (number | undefined)[] => {
  const { retry } = effectivePolicy({ subscription: JSON.stringify({ healthyRetryPolicy }) });
  return Array.from({ length: retry.numRetries + 1 }, (_, index) => retryDelaySeconds(retry, index + 1));
};

describe('a delivery policy', () => {
  it('has three retries, twenty seconds apart, by default', () => {
    const { retry, contentType, maxReceivesPerSecond } = effectivePolicy({});

    expect([1, 2, 3, 4].map((attempt) => retryDelaySeconds(retry, attempt))).toEqual([20, 20, 20, undefined]);
    expect(contentType).toBe('text/plain; charset=UTF-8');
    expect(maxReceivesPerSecond).toBeUndefined();
  });

  it('passes through its four retry phases', () => {
    const phases = delays({
      numRetries: 9,
      numNoDelayRetries: 2,
      numMinDelayRetries: 2,
      numMaxDelayRetries: 2,
      minDelayTarget: 10,
      maxDelayTarget: 50,
      backoffFunction: 'linear',
    });

    expect(phases).toEqual([0, 0, 10, 10, 10, 30, 50, 50, 50, undefined]);
  });

  it.each(['arithmetic', 'geometric', 'exponential'])(
    'rises from the minimum to the maximum delay: %s',
    (backoffFunction) => {
      const rising = delays({ numRetries: 6, minDelayTarget: 1, maxDelayTarget: 100, backoffFunction });

      expect(rising.at(0)).toBe(1);
      expect(rising.at(-2)).toBe(100);
      expect(rising.slice(0, -1)).toEqual(rising.slice(0, -1).toSorted((a, b) => Number(a) - Number(b)));
    },
  );

  it('is that of the topic if the subscription has none or overrides are disabled', () => {
    const topic = (disableSubscriptionOverrides: boolean) =>
      JSON.stringify({
        http: {
          defaultHealthyRetryPolicy: { numRetries: 1 },
          disableSubscriptionOverrides,
          defaultRequestPolicy: { headerContentType: 'application/json' },
        },
      });
    const subscription = JSON.stringify({ healthyRetryPolicy: { numRetries: 7 } });

    expect(effectivePolicy({ topic: topic(false) })).toMatchObject({
      retry: { numRetries: 1 },
      contentType: 'application/json',
    });
    expect(effectivePolicy({ topic: topic(false), subscription }).retry.numRetries).toBe(7);
    expect(effectivePolicy({ topic: topic(true), subscription }).retry.numRetries).toBe(1);
  });

  it.each([
    ['text that is not JSON', '{'],
    ['an unknown field', '{"healthyRetryPolicy":{"retries":3}}'],
    ['more than a hundred retries', '{"healthyRetryPolicy":{"numRetries":101}}'],
    ['phases longer than all retries', '{"healthyRetryPolicy":{"numRetries":1,"numNoDelayRetries":2}}'],
    ['a least delay above the greatest', '{"healthyRetryPolicy":{"minDelayTarget":30,"maxDelayTarget":20}}'],
    [
      'retries of more than an hour',
      '{"healthyRetryPolicy":{"numRetries":100,"minDelayTarget":60,"maxDelayTarget":60}}',
    ],
  ])('is rejected if it contains %s', (_, subscription) => {
    expect(() => effectivePolicy({ subscription })).toThrow('Invalid parameter: DeliveryPolicy');
  });
});
