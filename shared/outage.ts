const askingForPatience =
  /Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded|TransactionInProgress|TransactionConflict/;

/** A call that was ended: by its own time-out, or with the request that it was made for. */
const ended = new Set(['AbortError', 'TimeoutError']);

/**
 * Whether a call to AWS failed for a reason that passes: no answer, an answer of 5xx, or one that asks for
 * patience, as against one that refuses this very request and would refuse it again.
 */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (ended.has(error.name)) return true;
  if ('$fault' in error && error.$fault === 'client') return askingForPatience.test(error.name);
  // What the SDK throws for refused connections, time-outs and unreadable answers has no fault, but metadata.
  return '$fault' in error || '$metadata' in error;
};
