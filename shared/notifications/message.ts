/** What a message tells of; `test` is sent when a customer asks for it, and to every subscription. */
export const operationTypes = ['data_update', 'test'] as const;
export type OperationType = (typeof operationTypes)[number];

/** Says that a user's data changed, and nothing of what it is now. */
export interface Message {
  readonly operationType: OperationType;
  /** What the application that it is for calls the user; of a test nobody. */
  readonly applicationUserSub: string;
  /** Of the change, as `date-time.ts` writes it. */
  readonly dateTime: string;
}

/** A message and whom it is for, which subscriptions filter by. */
export interface Notification {
  readonly applicationId: string;
  /** Only this endpoint of the application's. @default all of them */
  readonly endpointId?: string;
  readonly message: Message;
}

/** What the message is about: of several about the same, the newest says all that there is to say. */
export const subjectOf = ({ operationType, applicationUserSub }: Message): string =>
  `${operationType}#${applicationUserSub}`;
