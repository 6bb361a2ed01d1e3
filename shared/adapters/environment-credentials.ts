/**
 * Replaces `@aws-sdk/credential-provider-node` in the functions' bundles. Lambda puts the credentials of a function's
 * role into the environment, and starts a new instance when they expire. The SDK's own provider looks in eight more
 * places. Its 95 KB would be loaded at every cold start.
 */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    throw new Error('The environment holds no AWS credentials');
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
  };
};
