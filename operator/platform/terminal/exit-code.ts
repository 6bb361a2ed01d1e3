import { CommanderError } from 'commander';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { accessDeniedIn } from './access-denied.ts';
import { NotConfirmedError, OperatorError, UsageError } from './operator-error.ts';

/** The exit code of a command. */
export const exitCodes = { done: 0, failed: 1, usage: 2, notConfirmed: 3 } as const;

export interface Failure {
  readonly exitCode: number;
  /** The text to print, if any. */
  readonly message: string | undefined;
}

const isAwsError = (error: Error): error is Error & { readonly $fault: string } => '$fault' in error;

/** Errors of the SDK, of prompts and of sockets that are no fault of this program: only their message is shown. */
const connectionErrors = new Set(['CredentialsProviderError', 'TimeoutError', 'ExitPromptError']);
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

const isConnectionError = (error: Error): boolean =>
  connectionErrors.has(error.name) || ('code' in error && socketCodes.has(String(error.code)));

/**
 * The message of the SDK's error when neither the environment nor the profile names a Region. The error has no `name`
 * of its own.
 */
const noRegion = 'Region is missing';

/** The exit code and the text for a failure; `undefined` for an unexpected error, which is shown with its stack. */
export const failureOf = (error: unknown): Failure | undefined => {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage, message: undefined };
  }
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, message: error.message };
  if (error instanceof NotConfirmedError) {
    return { exitCode: exitCodes.notConfirmed, message: error.message };
  }
  const denied = accessDeniedIn(error);
  if (denied !== undefined) {
    const message = `${denied.message}. What each policy has to allow is in docs/policies.md under "Who may do what".`;
    return { exitCode: exitCodes.failed, message };
  }
  if (error instanceof OperatorError || error instanceof ServiceError) {
    return { exitCode: exitCodes.failed, message: error.message };
  }
  if (!(error instanceof Error)) return undefined;
  if (error.message === noRegion) {
    const message = 'No AWS region is set: set AWS_REGION, or a region in the profile.';
    return { exitCode: exitCodes.failed, message };
  }
  if (isAwsError(error)) return { exitCode: exitCodes.failed, message: `${error.name}: ${error.message}` };
  if (!isConnectionError(error)) return undefined;
  // The error that combines several failed connection attempts (`AggregateError`) has an empty message.
  const detail = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return { exitCode: exitCodes.failed, message: detail };
};
