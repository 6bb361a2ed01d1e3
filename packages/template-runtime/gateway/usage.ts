import type { Clock } from '../clock.ts';
import type { UsagePlan } from './api-keys.ts';
import type { Throttle } from './types.ts';

interface Bucket {
  tokens: number;
  refilledAt: number;
}

interface Count {
  period: string;
  calls: number;
}

/** API Gateway's token buckets and quotas. They are kept in memory, so counting starts from zero after a restart. */
export class Usage {
  readonly #clock: Clock;
  readonly #elapsed: Clock;
  readonly #buckets = new Map<string, Bucket>();
  readonly #counts = new Map<string, Count>();

  constructor({ clock, elapsed }: { readonly clock: Clock; readonly elapsed: Clock }) {
    this.#clock = clock;
    this.#elapsed = elapsed;
  }

  /** Takes one token from the bucket `name`. Returns `false` if the bucket is empty. */
  takeToken(name: string, { rateLimit, burstLimit }: Throttle): boolean {
    if (rateLimit === undefined && burstLimit === undefined) return true;
    const capacity = burstLimit ?? rateLimit ?? 0;
    const now = this.#elapsed();
    const bucket = this.#buckets.get(name) ?? { tokens: capacity, refilledAt: now };
    const refill = ((now - bucket.refilledAt) / 1000) * (rateLimit ?? Number.POSITIVE_INFINITY);
    bucket.tokens = Math.min(capacity, bucket.tokens + (Number.isNaN(refill) ? 0 : refill));
    bucket.refilledAt = now;
    this.#buckets.set(name, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Counts one call of a key. Returns `false` if the quota of the key's plan is used up. */
  countCall(keyId: string, plan: UsagePlan): boolean {
    if (plan.quota === undefined) return true;
    const period = periodOf(plan.quota.period, new Date(this.#clock()));
    const name = `${plan.id} ${keyId}`;
    const current = this.#counts.get(name);
    const count = current?.period === period ? current : { period, calls: plan.quota.offset ?? 0 };
    this.#counts.set(name, count);
    if (count.calls >= plan.quota.limit) return false;
    count.calls += 1;
    return true;
  }
}

const dayMilliseconds = 86_400_000;

const periodOf = (period: 'DAY' | 'WEEK' | 'MONTH', date: Date): string => {
  if (period === 'MONTH') return date.toISOString().slice(0, 7);
  if (period === 'DAY') return date.toISOString().slice(0, 10);
  const sinceSunday = date.getUTCDay() * dayMilliseconds;
  return new Date(date.getTime() - sinceSunday).toISOString().slice(0, 10);
};
