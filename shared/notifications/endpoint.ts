import { randomBytes } from 'node:crypto';
import type { OperationType } from './message.ts';

/** A customer's address that is subscribed to the topic. Times are milliseconds since the Unix epoch. */
export interface Endpoint {
  readonly applicationId: string;
  readonly id: string;
  /** The address, exactly as in SNS's delivery log. */
  readonly destination: string;
  readonly isEnveloped: boolean;
  readonly operationTypes: readonly OperationType[];
  readonly createdAt: number;
  /** When it was unsubscribed; nothing is sent to it since. */
  readonly removedAt?: number | undefined;
  readonly lastSuccessAt?: number | undefined;
  readonly lastFailure?: { readonly at: number; readonly reason: string } | undefined;
  /** The first failure after the last success. */
  readonly failingSince?: number | undefined;
}

export const newEndpointId = (): string => randomBytes(8).toString('hex');

/** Subscribed endpoints whose last delivery failed. */
export const failingNow = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.filter(({ removedAt, failingSince }) => removedAt === undefined && failingSince !== undefined);

/** An address without credentials, for display: one with a user and a password may have been subscribed by hand. */
export const withoutCredentials = (destination: string): string => {
  const url = URL.parse(destination);
  if (url === null || (url.username === '' && url.password === '')) return destination;
  url.username = '***';
  url.password = '';
  return url.href;
};
