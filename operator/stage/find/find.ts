import { type Hash, writtenAddressSchema } from '../../../shared/chain/hex.ts';
import { isQueue } from '../../../shared/notifications/endpoints/endpoint.ts';
import { isApplicationUserSub } from '../../../shared/users/application-user-sub.ts';
import { type ApplicationTimelineDependencies, findApplication } from './application-timeline.ts';
import { type CollectionTimelineDependencies, findContract, findToken } from './collection-timelines.ts';
import { type DeadLetterTimelineDependencies, findDeadLetter } from './dead-letter-timeline.ts';
import { type EndpointTimelineDependencies, findEndpoints } from './endpoint-timeline.ts';
import { type EventTimelineDependencies, findEvent } from './event-timeline.ts';
import type { LogSearch } from './log-search.ts';
import { findNotification, type NotificationTimelineDependencies } from './notification-timeline.ts';
import {
  findApplicationUserSub,
  findUser,
  findWallet,
  type PeopleTimelineDependencies,
} from './people-timelines.ts';
import { type Timeline, unknown } from './timeline.ts';
import {
  findHash,
  findIdempotencyKey,
  findNonce,
  findSigner,
  type TransactionTimelineDependencies,
} from './transaction-timelines.ts';

export type FindDependencies = CollectionTimelineDependencies &
  TransactionTimelineDependencies &
  PeopleTimelineDependencies &
  EventTimelineDependencies &
  ApplicationTimelineDependencies &
  NotificationTimelineDependencies &
  DeadLetterTimelineDependencies &
  EndpointTimelineDependencies & {
    readonly logSearch: LogSearch;
  };

type Found = Timeline | readonly Timeline[] | undefined;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const requestTimeline = ({ logSearch }: Pick<FindDependencies, 'logSearch'>, id: string): Timeline => {
  const { command, cost } = logSearch(id);
  return {
    kind: 'request',
    id,
    fields: { search: command, cost },
    moments: [unknown('requests are not stored in a table; only the logs have them')],
    related: [],
    commands: [],
  };
};

/** Finds a notification by its message id in the topic, or a dead letter by its message id in the dead-letter queue. */
const findMessage = async (dependencies: FindDependencies, id: string): Promise<Found> =>
  (await findNotification(dependencies, id)) ?? findDeadLetter(dependencies, id);

const lookups = (dependencies: FindDependencies, text: string): Promise<Found>[] => {
  const lower = text.toLowerCase();
  const [, tokenAddress, tokenId] = /^(0x[0-9a-f]{40})[/#:](\d{1,15})$/.exec(lower) ?? [];
  if (tokenAddress !== undefined && tokenId !== undefined) {
    const address = writtenAddressSchema.parse(tokenAddress);
    return [findToken(dependencies, { address, tokenId: String(Number(tokenId)) })];
  }
  if (/^0x[0-9a-f]{64}$/.test(lower)) return [findHash(dependencies, lower as Hash)];
  const address = writtenAddressSchema.safeParse(text);
  if (address.success) {
    return [
      findContract(dependencies, address.data),
      findSigner(dependencies, address.data),
      findWallet(dependencies, address.data),
    ];
  }
  if (/^https?:/.test(lower) || isQueue(text)) return [findEndpoints(dependencies, text)];
  return [
    ...(/^[0-9a-f]{16}$/.test(text) ? [findEndpoints(dependencies, text)] : []),
    ...(/^\d{1,15}$/.test(text) ? [findNonce(dependencies, Number(text))] : []),
    ...(uuid.test(text) ? [findMessage(dependencies, lower)] : []),
    ...(isApplicationUserSub(lower) ? [findApplicationUserSub(dependencies, lower)] : []),
    findApplication(dependencies, text),
    findUser(dependencies, text),
    findEvent(dependencies, text),
    findIdempotencyKey(dependencies, text),
  ];
};

/**
 * Finds everything with this name: an address, a token (`address/id`), a transaction's hash, a nonce, an idempotency
 * key, a request id, a notification's message id, a dead letter's id, a user, an `application_user_sub`, an event, a
 * customer, an endpoint's address or id. Most names are looked up by table keys. To find an endpoint, all endpoints are
 * read. To find a message id, all notifications of 30 days and a part of the dead-letter queue may be read.
 */
export const find = async (dependencies: FindDependencies, text: string): Promise<Timeline[]> => {
  const found = (await Promise.all(lookups(dependencies, text))).flat().filter((each) => each !== undefined);
  return found.length === 0 && uuid.test(text) ? [requestTimeline(dependencies, text)] : found;
};
