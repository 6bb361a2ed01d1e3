import { ServiceException } from '@smithy/core/client';

export const isRefusal = (error: unknown, ...codes: readonly string[]): error is ServiceException =>
  error instanceof ServiceException && codes.includes(error.name);
