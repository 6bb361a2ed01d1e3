import type { EventStatus } from '../../ott/events/event-kinds.ts';

/**
 * Every operation type, with the form of its messages. `isSentToAll`: messages are published to an application even if
 * none of its endpoints has selected the type. A `test` is sent at a customer's request: every subscription receives
 * it, whichever operation types the subscription selects.
 */
const operations = {
  data_update: { form: 'user', isSentToAll: true },
  contract_update: { form: 'chain', isSentToAll: false },
  token_update: { form: 'chain', isSentToAll: false },
  event_update: { form: 'event', isSentToAll: false },
  test: { form: 'user', isSentToAll: true },
} as const satisfies Record<string, { readonly form: string; readonly isSentToAll: boolean }>;

export type MessageForm = (typeof operations)[keyof typeof operations]['form'];
type OperationTypeOf<Form extends MessageForm> = {
  readonly [Type in keyof typeof operations]: (typeof operations)[Type]['form'] extends Form ? Type : never;
}[keyof typeof operations];

export type OperationType = keyof typeof operations;
export const operationTypes = Object.keys(operations) as OperationType[];

const operationTypesOf = <const Form extends MessageForm>(form: Form) =>
  operationTypes.filter((type): type is OperationTypeOf<Form> => operations[type].form === form);
export const userOperationTypes = operationTypesOf('user');
export const chainOperationTypes = operationTypesOf('chain');
export const eventOperationTypes = operationTypesOf('event');

/** What a subscription can select. */
export const selectableOperationTypes = operationTypes.filter((type) => type !== 'test');

/**
 * The part of a contract or token that a message is about. Absent if the message is about the whole contract or token.
 */
export const messageParts = ['royalty', 'metadata', 'revocation', 'claim'] as const;
export type MessagePart = (typeof messageParts)[number];

/** Says that a user's data has changed. The data itself is not in the message. */
export interface UserMessage {
  readonly operationType: OperationTypeOf<'user'>;
  /** The application's identifier for the user. In a test notification, an identifier that belongs to no user. */
  readonly applicationUserSub: string;
  /** The time of the change, in the format of `date-time.ts`. */
  readonly dateTime: string;
}

/** Reports the final outcome, on the chain, of a contract or token or of a change to one of its parts. */
export interface ChainMessage {
  readonly operationType: OperationTypeOf<'chain'>;
  /** EIP-55 form. */
  readonly contractAddress: string;
  /** Decimal. Set only for a token. */
  readonly tokenId?: string;
  /** @default none: the message is about the contract or token as a whole */
  readonly part?: MessagePart;
  readonly status: 'confirmed' | 'failed';
  readonly transactionHash: string;
  readonly failureReason?: string;
  /** The time of the final outcome, in the format of `date-time.ts`. */
  readonly dateTime: string;
}

/**
 * How an event has changed, as the rules of the application show it. `many`: too many events have changed to report
 * each of them.
 */
export const eventChanges = ['created', 'changed', 'status', 'removed', 'many'] as const;
export type ToldChange = (typeof eventChanges)[number];

/** Reports that an event of the catalogue has changed, or that many have. */
export interface EventMessage {
  readonly operationType: OperationTypeOf<'event'>;
  readonly change: ToldChange;
  /** Absent only if `change` is `many`. */
  readonly eventId?: string;
  /** The status after the change. Absent if the application does not see the event any more, or `change` is `many`. */
  readonly status?: EventStatus;
  /** The time of the change, in the format of `date-time.ts`. */
  readonly dateTime: string;
}

export interface Messages {
  readonly user: UserMessage;
  readonly chain: ChainMessage;
  readonly event: EventMessage;
}

export type Message = Messages[MessageForm];

/** Calls the function for the form of the message. */
export const byForm = <Result>(
  message: Message,
  cases: { readonly [Form in MessageForm]: (message: Messages[Form]) => Result },
): Result => {
  const read = cases[operations[message.operationType].form] as (message: Message) => Result;
  return read(message);
};

/** Whether applications receive messages of this type without having selected it. */
export const isSentToAll = ({ operationType }: Message): boolean => operations[operationType].isSentToAll;

/** A message and its addressee. Subscriptions filter by the addressee. */
export interface Notification {
  readonly applicationId: string;
  /** Only this endpoint of the application gets the message. @default all endpoints */
  readonly endpointId?: string;
  readonly message: Message;
  /**
   * The id that the topic gave the original message. Set only if a message is sent again: `redriveOf` by an operator's
   * redrive, `replayOf` by a customer's replay.
   */
  readonly redriveOf?: string | undefined;
  readonly replayOf?: string | undefined;
}

const placeOf = ({ tokenId, part }: ChainMessage): readonly string[] => {
  if (tokenId === undefined) return [part ?? ''];
  return part === undefined ? [tokenId] : [tokenId, part];
};

/** Identifies what a message is about. Of several messages with the same subject, only the newest matters. */
export const subjectOf = (message: Message): string =>
  [
    message.operationType,
    ...byForm(message, {
      user: ({ applicationUserSub }) => [applicationUserSub],
      chain: (about) => [about.contractAddress, ...placeOf(about)],
      event: ({ eventId }) => (eventId === undefined ? [] : [eventId]),
    }),
  ].join('#');
