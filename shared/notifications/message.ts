/** What a message tells of; `test` is sent when a customer asks for it, and to every subscription. */
export const userOperationTypes = ['data_update', 'test'] as const;
export const chainOperationTypes = ['contract_update', 'token_update'] as const;
export const operationTypes = ['data_update', ...chainOperationTypes, 'test'] as const;
export type OperationType = (typeof operationTypes)[number];

/** Says that a user's data changed, and nothing of what it is now. */
export interface UserMessage {
  readonly operationType: (typeof userOperationTypes)[number];
  /** What the application that it is for calls the user; of a test nobody. */
  readonly applicationUserSub: string;
  /** Of the change, as `date-time.ts` writes it. */
  readonly dateTime: string;
}

/** Says what the chain has decided for good of a contract, of its royalty, or of a token. */
export interface ChainMessage {
  readonly operationType: (typeof chainOperationTypes)[number];
  /** EIP-55 form. */
  readonly contractAddress: string;
  /** Decimal; of a token. */
  readonly tokenId?: string;
  /** It is of this alone, and not of the contract as a whole. */
  readonly part?: 'royalty';
  readonly status: 'confirmed' | 'failed';
  readonly transactionHash: string;
  readonly failureReason?: string;
  /** Of the decision, as `date-time.ts` writes it. */
  readonly dateTime: string;
}

export type Message = UserMessage | ChainMessage;

export const isChainMessage = (message: Message): message is ChainMessage => 'contractAddress' in message;

/** A message and whom it is for, which subscriptions filter by. */
export interface Notification {
  readonly applicationId: string;
  /** Only this endpoint of the application's. @default all of them */
  readonly endpointId?: string;
  readonly message: Message;
}

/** What the message is about: of several about the same, the newest says all that there is to say. */
export const subjectOf = (message: Message): string =>
  (isChainMessage(message)
    ? [message.operationType, message.contractAddress, message.tokenId ?? message.part ?? '']
    : [message.operationType, message.applicationUserSub]
  ).join('#');
