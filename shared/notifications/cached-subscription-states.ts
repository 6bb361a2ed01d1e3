import { newCache } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { SubscriptionStates } from './ports/subscription-states.ts';

const lifetimeMilliseconds = 5_000;

/**
 * Reads the states at most once in five seconds, for the calls that customers make as often as they like. SNS allows all
 * readers of an account together 30 calls a second, and each read takes one for every hundred subscriptions. Failed reads
 * are not cached.
 */
export const cachedSubscriptionStates = (
  { ofAll }: SubscriptionStates,
  { clock }: { readonly clock: Clock },
): SubscriptionStates => {
  // The states are never changed, so concurrent calls share one read.
  const known = newCache<ReturnType<typeof ofAll>>({ capacity: 1, lifetimeMilliseconds, clock });
  const read = (): ReturnType<typeof ofAll> => {
    const states = ofAll();
    known.set('', states);
    states.catch(() => {
      if (known.get('') === states) known.delete('');
    });
    return states;
  };
  return { ofAll: () => known.get('') ?? read() };
};
