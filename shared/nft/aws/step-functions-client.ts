import { SFNClient } from '@aws-sdk/client-sfn';
import { clientConfig } from '../../platform/aws/client.ts';

export const stepFunctions = (): SFNClient =>
  new SFNClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }));
