/** The kind of a message; `test` is sent at a customer's request, and to every subscription. */
export const userOperationTypes = ['data_update', 'test'] as const;
export const chainOperationTypes = ['contract_update', 'token_update'] as const;
export const operationTypes = ['data_update', ...chainOperationTypes, 'test'] as const;
export type OperationType = (typeof operationTypes)[number];

/** The parts of a contract or token that a message can be about, when it is not about it as a whole. */
export const messageParts = ['royalty', 'metadata', 'revocation'] as const;
export type MessagePart = (typeof messageParts)[number];

/** Says that a user's data changed, but not to what. */
export interface UserMessage {
  readonly operationType: (typeof userOperationTypes)[number];
  /** The application's identifier for the user; a test has one that belongs to nobody. */
  readonly applicationUserSub: string;
  /** The time of the change, in the form of `date-time.ts`. */
  readonly dateTime: string;
}

/** The final outcome on the chain for a contract or token, or for a part of it. */
export interface ChainMessage {
  readonly operationType: (typeof chainOperationTypes)[number];
  /** EIP-55 form. */
  readonly contractAddress: string;
  /** Decimal; only for a token. */
  readonly tokenId?: string;
  /** The part it is about, when it is not the contract or token as a whole. */
  readonly part?: MessagePart;
  readonly status: 'confirmed' | 'failed';
  readonly transactionHash: string;
  readonly failureReason?: string;
  /** The time of the decision, in the form of `date-time.ts`. */
  readonly dateTime: string;
}

export type Message = UserMessage | ChainMessage;

export const isChainMessage = (message: Message): message is ChainMessage => 'contractAddress' in message;

/** A message and its addressee; subscriptions filter by the addressee. */
export interface Notification {
  readonly applicationId: string;
  /** Only this endpoint of the application. @default all of them */
  readonly endpointId?: string;
  readonly message: Message;
  /** The topic's id of the message that an operator's redrive, or a customer's replay, sends again by this one. */
  readonly redriveOf?: string | undefined;
  readonly replayOf?: string | undefined;
}

const placeOf = ({ tokenId, part }: ChainMessage): readonly string[] => {
  if (tokenId === undefined) return [part ?? ''];
  return part === undefined ? [tokenId] : [tokenId, part];
};

/** The subject of a message: of several messages with one subject, only the newest matters. */
export const subjectOf = (message: Message): string =>
  (isChainMessage(message)
    ? [message.operationType, message.contractAddress, ...placeOf(message)]
    : [message.operationType, message.applicationUserSub]
  ).join('#');
