import { describe, expect, it, vi } from 'vitest';
import { cachedSubscriptionStates } from '../../../shared/notifications/cached-subscription-states.ts';
import type { SubscriptionStates } from '../../../shared/notifications/ports/subscription-states.ts';

const setUp = () => {
  const time = { now: 1_000_000 };
  const ofAll = vi.fn<SubscriptionStates['ofAll']>(async () => new Map([['queue', 'pending']]));
  return { time, ofAll, states: cachedSubscriptionStates({ ofAll }, { clock: () => time.now }) };
};

describe('the states of subscriptions, for calls of customers', () => {
  it('are read at most once in five seconds', async () => {
    const { time, ofAll, states } = setUp();

    const [first] = await Promise.all([states.ofAll(), states.ofAll()]);
    time.now += 4_999;
    expect(await states.ofAll()).toBe(first);
    expect(ofAll).toHaveBeenCalledOnce();

    time.now += 1;
    await states.ofAll();
    expect(ofAll).toHaveBeenCalledTimes(2);
  });

  it('are read again after a read that failed', async () => {
    const { ofAll, states } = setUp();
    ofAll.mockRejectedValueOnce(new Error('Throttled'));

    await expect(states.ofAll()).rejects.toThrow('Throttled');

    expect(await states.ofAll()).toEqual(new Map([['queue', 'pending']]));
  });
});
