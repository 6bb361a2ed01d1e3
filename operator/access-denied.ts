/**
 * The error codes for a call that IAM denied: `AccessDenied` from services with the query protocol,
 * `AuthorizationError` from SNS, and `AccessDeniedException` from most others.
 */
const names = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthorizationError',
  'AuthorizationErrorException',
]);

/**
 * The error by which AWS reports that IAM denied a call: `error` itself or one of its causes. Its message names the
 * denied action. `undefined` when there is no such error.
 */
export const accessDeniedIn = (error: unknown): Error | undefined => {
  if (!(error instanceof Error)) return undefined;
  return names.has(error.name) ? error : accessDeniedIn(error.cause);
};

/**
 * For reads of optional parts of a display: a failed read leaves the part empty, but a missing permission is thrown
 * again.
 */
export const nothingUnlessDenied = (error: unknown): undefined => {
  if (accessDeniedIn(error) !== undefined) throw error;
};
