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
 * Finds the error with which AWS reports that IAM denied a call: `error` itself, or one of its causes. Returns
 * `undefined` if there is none. The message of the returned error names the denied action.
 */
export const accessDeniedIn = (error: unknown): Error | undefined => {
  if (!(error instanceof Error)) return undefined;
  return names.has(error.name) ? error : accessDeniedIn(error.cause);
};

/**
 * Handles the failed read of an optional part of a display. If a permission is missing, throws the error again. After
 * any other error, the part is left empty.
 */
export const nothingUnlessDenied = (error: unknown): undefined => {
  if (accessDeniedIn(error) !== undefined) throw error;
};
