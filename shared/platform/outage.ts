const askingForPatience =
  /Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded|TransactionInProgress|TransactionConflict/;

/** The names of the errors of calls that were aborted, by their own timeout or at the request's deadline. */
const ended = new Set(['AbortError', 'TimeoutError']);

/** Whether a call to AWS failed for a temporary reason: no answer, a 5xx, or throttling. */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (ended.has(error.name)) return true;
  if ('$fault' in error && error.$fault === 'client') return askingForPatience.test(error.name);
  // The SDK's errors for refused connections, timeouts and unreadable responses have `$metadata` but no `$fault`.
  return '$fault' in error || '$metadata' in error;
};
