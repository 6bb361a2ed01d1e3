import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import { inProgress, parameterMismatch } from './faults/error-answers.ts';
import type { DatabaseAnswer } from './faults/types.ts';

/** How long DynamoDB remembers a token (API Reference, *TransactWriteItems*, *ClientRequestToken*). */
const keptMilliseconds = 10 * 60_000;

const tokenOf = z.looseObject({ ClientRequestToken: z.string().min(1).max(36) });

const madeBefore: DatabaseAnswer = {
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: '{}',
};

export interface RequestTokens {
  /**
   * Runs a transaction. If the same transaction with the same token succeeded in the last ten minutes, it succeeds
   * again without running. A different transaction with that token is refused. A refused transaction does not use up
   * its token.
   */
  once(input: unknown, make: (input: unknown) => Promise<DatabaseAnswer>): Promise<DatabaseAnswer>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Sorts the keys of all objects, so that equal inputs have equal digests. A replacer for `JSON.stringify` would take
 * five times as long.
 */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
};

const digestOf = (input: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(input)))
    .digest('base64');

/**
 * Replaces the embedded server's own check of tokens. That check reads all known tokens for each transaction, so that
 * with 20,000 known tokens a transaction takes three times as long.
 */
export const requestTokens = ({ clock }: { readonly clock: Clock }): RequestTokens => {
  /** Transactions that succeeded, by token, oldest first. */
  const made = new Map<string, { readonly digest: string; readonly until: number }>();
  const underWay = new Set<string>();

  const forgetOld = (): void => {
    for (const [token, { until }] of made) {
      if (until > clock()) return;
      made.delete(token);
    }
  };

  return {
    async once(input, make) {
      const parsed = tokenOf.safeParse(input);
      // Without a valid token, there is nothing to remember. The database server refuses an invalid token.
      if (!parsed.success) return make(input);
      const { ClientRequestToken: token, ...transaction } = parsed.data;
      forgetOld();
      const digest = digestOf(transaction);
      const before = made.get(token);
      if (before !== undefined) return before.digest === digest ? madeBefore : parameterMismatch();
      if (underWay.has(token)) return inProgress();
      underWay.add(token);
      try {
        const answer = await make(transaction);
        if (answer.status === 200) made.set(token, { digest, until: clock() + keptMilliseconds });
        return answer;
      } finally {
        underWay.delete(token);
      }
    },
  };
};
