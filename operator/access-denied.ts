/** What the services of AWS call a refusal by IAM: most, those of the query protocol, and SNS. */
const names = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthorizationError',
  'AuthorizationErrorException',
]);

/** IAM's refusal in an error or in what caused it; its message names the action. `undefined` where there is none. */
export const accessDeniedIn = (error: unknown): Error | undefined => {
  if (!(error instanceof Error)) return undefined;
  return names.has(error.name) ? error : accessDeniedIn(error.cause);
};

/** For what is shown without an answer: not where the credentials lack the action, which is to be told. */
export const nothingUnlessDenied = (error: unknown): undefined => {
  if (accessDeniedIn(error) !== undefined) throw error;
};
