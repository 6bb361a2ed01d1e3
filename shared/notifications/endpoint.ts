import { randomBytes } from 'node:crypto';
import type { OperationType } from './message.ts';

/** An address of a customer's that is subscribed to the topic. Times are milliseconds since the Unix epoch. */
export interface Endpoint {
  readonly applicationId: string;
  readonly id: string;
  /** The address, exactly as SNS's delivery log names it. */
  readonly destination: string;
  readonly isEnveloped: boolean;
  readonly operationTypes: readonly OperationType[];
  readonly createdAt: number;
  /** It is subscribed no more, and nothing is sent to it. */
  readonly removedAt?: number | undefined;
  readonly lastSuccessAt?: number | undefined;
  readonly lastFailure?: { readonly at: number; readonly reason: string } | undefined;
  /** Of the first failure after the last success. */
  readonly failingSince?: number | undefined;
}

export const newEndpointId = (): string => randomBytes(8).toString('hex');

/** Those that are subscribed and did not take the last that they were sent. */
export const failingNow = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.filter(({ removedAt, failingSince }) => removedAt === undefined && failingSince !== undefined);

/** An address as it may be shown: one with a user and a password has been subscribed by hand. */
export const withoutCredentials = (destination: string): string => {
  const url = URL.parse(destination);
  if (url === null || (url.username === '' && url.password === '')) return destination;
  url.username = '***';
  url.password = '';
  return url.href;
};
