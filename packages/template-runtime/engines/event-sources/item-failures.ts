import * as z from 'zod';

const response = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * Returns the identifiers that a function reported as failed. Without a report, returns an empty set. For a malformed
 * report, returns `undefined`: Lambda treats such a report as a failure of the whole batch.
 */
export const itemFailures = (
  payload: unknown,
  known: ReadonlySet<string>,
): ReadonlySet<string> | undefined => {
  if (payload === null || payload === undefined || payload === '') return new Set();
  const parsed = response.safeParse(payload);
  if (!parsed.success) return undefined;
  const failures = (parsed.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failures.every((identifier) => known.has(identifier)) ? new Set(failures) : undefined;
};
