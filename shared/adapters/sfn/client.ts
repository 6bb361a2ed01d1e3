import { type JsonService, jsonService } from '../aws/json-service.ts';
import { functionSettings } from '../aws/settings.ts';

/** Step Functions, for a function. */
export const stepFunctions = (): JsonService =>
  jsonService({
    settings: functionSettings(),
    service: 'states',
    target: 'AWSStepFunctions',
    version: '1.0',
    maxAttempts: 3,
    requestTimeoutMilliseconds: 5_000,
  });
