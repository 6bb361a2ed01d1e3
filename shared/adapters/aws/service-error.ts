import { ServiceException } from '@smithy/core/client';

/** Whether AWS refused the call with one of these codes, such as `ConditionalCheckFailedException`. */
export const isRefusal = (error: unknown, ...codes: readonly string[]): error is ServiceException =>
  error instanceof ServiceException && codes.includes(error.name);
