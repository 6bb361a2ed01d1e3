const askingForPatience =
  /Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded|TransactionInProgress|TransactionConflict/;

/** A call that was aborted: by its own timeout, or at its request's deadline. */
const ended = new Set(['AbortError', 'TimeoutError']);

/**
 * Whether a call to AWS failed for a temporary reason: no answer, a 5xx, or throttling. A refusal of this particular
 * request would come again.
 */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (ended.has(error.name)) return true;
  if ('$fault' in error && error.$fault === 'client') return askingForPatience.test(error.name);
  // The SDK's errors for refused connections, timeouts and unreadable answers have no fault, but metadata.
  return '$fault' in error || '$metadata' in error;
};
