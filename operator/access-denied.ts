/** The codes with which AWS services report a refusal by IAM: most services, those of the query protocol, and SNS. */
const names = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthorizationError',
  'AuthorizationErrorException',
]);

/** IAM's refusal in an error or its causes; its message names the action. `undefined` when there is none. */
export const accessDeniedIn = (error: unknown): Error | undefined => {
  if (!(error instanceof Error)) return undefined;
  return names.has(error.name) ? error : accessDeniedIn(error.cause);
};

/** For optional parts of a display: a failure shows nothing, but a missing permission is still reported. */
export const nothingUnlessDenied = (error: unknown): undefined => {
  if (accessDeniedIn(error) !== undefined) throw error;
};
