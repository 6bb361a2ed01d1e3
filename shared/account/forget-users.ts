import type { FailedChanges } from '../notifications/ports/failed-changes.ts';
import { inParallel } from '../platform/in-parallel.ts';
import type { Logger } from '../platform/logger.ts';
import type { Registration } from '../users/application-user-sub.ts';
import { type ForgetUserDependencies, forgetUser } from './forget-user.ts';

const tries = 3;
const recordsAtOnce = 10;

/** `Source` is what a removal is read from, such as a record of a stream. */
export type ForgetUsersDependencies<Source = unknown> = ForgetUserDependencies & {
  /** @throws for a record that this service cannot have written. */
  readonly removalIn: (record: Source) => Registration;
  readonly failedChanges: FailedChanges<Source>;
  /** Whether an error is temporary. */
  readonly isOutage: (error: unknown) => boolean;
  /** Waits before every try but the first. */
  readonly pause: (tried: number) => Promise<void>;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
};

interface Outcome<Source> {
  readonly record: Source;
  readonly failure: { readonly reason: string; readonly isOutage: boolean } | undefined;
}

const outcomeOf = async <Source>(
  { removalIn, isOutage, pause, ...dependencies }: ForgetUsersDependencies<Source>,
  record: Source,
): Promise<Outcome<Source>> => {
  for (let tried = 1; ; tried += 1) {
    try {
      await forgetUser(dependencies, removalIn(record));
      return { record, failure: undefined };
    } catch (error) {
      if (tried === tries) return { record, failure: { reason: String(error), isOutage: isOutage(error) } };
      await pause(tried);
    }
  }
};

/**
 * Forgets the users of a batch of stream records independently of each other. A record that fails three times is put
 * aside, unless the reason is an outage: then it is returned, with all records after it, because Lambda delivers these
 * again, too.
 * @returns the records that are neither done nor put aside, and must be retried.
 */
export const forgetUsers = async <Source>(
  dependencies: ForgetUsersDependencies<Source>,
  { records }: { readonly records: readonly Source[] },
): Promise<Source[]> => {
  const { failedChanges, logger } = dependencies;
  const outcomes = await inParallel(records, {
    atOnce: recordsAtOnce,
    run: (record) => outcomeOf(dependencies, record),
  });
  const firstWaiting = outcomes.findIndex(({ failure }) => failure?.isOutage === true);
  const settled = firstWaiting < 0 ? outcomes : outcomes.slice(0, firstWaiting);
  const comesAgain = firstWaiting < 0 ? [] : outcomes.slice(firstWaiting);
  for (const { failure } of comesAgain.slice(0, 1)) logger.warn('Users are forgotten later', { ...failure });
  const kept = await inParallel(settled, {
    atOnce: recordsAtOnce,
    run: async ({ record, failure }) => {
      if (failure === undefined) return true;
      const { reason } = failure;
      try {
        await failedChanges.keep({ record, reason });
        logger.error('Removal put aside', { reason });
        return true;
      } catch (error) {
        logger.error('Removal could not be put aside; the stream will deliver it again', { reason, error });
        return false;
      }
    },
  });
  return [...settled.filter((_, index) => kept[index] !== true), ...comesAgain].map(({ record }) => record);
};
