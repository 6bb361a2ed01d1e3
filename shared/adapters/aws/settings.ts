import { defaultProvider } from '../environment-credentials.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Where services of AWS are, and who calls them. */
export interface AwsSettings {
  readonly region: string | (() => Promise<string>);
  readonly credentials: AwsCredentials | (() => Promise<AwsCredentials>);
  /** Of all services. @default each one's own in the region */
  readonly endpoint?: string | undefined;
}

/** Those of a function, which Lambda puts into its environment; `AWS_ENDPOINT_URL` as the AWS SDK reads it. */
export const functionSettings = (): AwsSettings => {
  const { AWS_REGION, AWS_ENDPOINT_URL } = process.env;
  return {
    region: async () => {
      if (AWS_REGION === undefined) throw new Error('The environment holds no AWS_REGION');
      return AWS_REGION;
    },
    credentials: defaultProvider(),
    endpoint: AWS_ENDPOINT_URL,
  };
};
