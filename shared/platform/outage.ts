const askingForPatience =
  /Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded|TransactionInProgress|TransactionConflict/;

/** The names of the errors of calls that were aborted, by their own timeout or at the request's deadline. */
const ended = new Set(['AbortError', 'TimeoutError']);

/** Whether DynamoDB cancelled a transaction only because it throttles, or because of other transactions under way. */
const isCancelledForNow = ({
  CancellationReasons: reasons,
}: {
  readonly CancellationReasons: unknown;
}): boolean => {
  const codes = Array.isArray(reasons) ? reasons.map((reason) => String(reason.Code)) : [];
  const failed = codes.filter((code) => code !== 'None');
  return failed.length > 0 && failed.every((code) => askingForPatience.test(code));
};

/** Whether a call to AWS failed for a temporary reason: no answer, a 5xx, throttling, or a conflict. */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (ended.has(error.name)) return true;
  if ('CancellationReasons' in error) return isCancelledForNow(error);
  if ('$fault' in error && error.$fault === 'client') return askingForPatience.test(error.name);
  // The SDK's errors for refused connections, timeouts and unreadable responses have `$metadata` but no `$fault`.
  return '$fault' in error || '$metadata' in error;
};
