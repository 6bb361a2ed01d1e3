import { randomBytes } from 'node:crypto';
import type { OperationType } from '../messages/message.ts';
import type { Redelivery } from '../redeliver/redelivery.ts';

/** Times are milliseconds since the epoch. */
export interface Endpoint {
  readonly applicationId: string;
  readonly id: string;
  /** The address, exactly as in SNS's delivery log. */
  readonly destination: string;
  readonly isEnveloped: boolean;
  readonly operationTypes: readonly OperationType[];
  /** Since when the address belongs to the application. Stays if only the application itself adds it again. */
  readonly createdAt: number;
  readonly removedAt?: number | undefined;
  /** When the endpoint was removed last, if it was added again. What it missed until then is not sent. */
  readonly formerlyRemovedAt?: number | undefined;
  readonly lastSuccessAt?: number | undefined;
  /** When the newest message was published that the endpoint has accepted. */
  readonly acceptedUntil?: number | undefined;
  readonly lastFailure?: { readonly at: number; readonly reason: string } | undefined;
  /** The time of the first failure after the last success. */
  readonly failingSince?: number | undefined;
  /** Absent if the endpoint has accepted everything, as far as is known. */
  readonly redelivery?: Redelivery | undefined;
}

/** What identifies an endpoint. */
export type EndpointKey = Pick<Endpoint, 'applicationId' | 'id'>;

/** Whether the endpoint is an SQS queue, whose address is its ARN, and not an HTTPS endpoint. */
export const isQueue = (destination: string): boolean => /^arn:[^:]+:sqs:/.test(destination);

export const newEndpointId = (): string => randomBytes(8).toString('hex');

/** Whether the application wants messages at this address. SNS may still wait for its confirmation. */
export const isSubscribed = ({ removedAt }: Pick<Endpoint, 'removedAt'>): boolean => removedAt === undefined;

/** Whether the endpoint accepts nothing since a failure. */
export const isFailing = ({ failingSince }: Pick<Endpoint, 'failingSince'>): boolean =>
  failingSince !== undefined;

export const failingNow = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.filter((endpoint) => isSubscribed(endpoint) && isFailing(endpoint));

/**
 * The address without its user and password, for display. Only an address that was subscribed by hand can have a user
 * or password.
 */
export const withoutCredentials = (destination: string): string => {
  const url = URL.parse(destination);
  if (url === null || (url.username === '' && url.password === '')) return destination;
  url.username = '***';
  url.password = '';
  return url.href;
};
