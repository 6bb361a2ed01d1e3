/** Says that a user's data changed, and nothing of what it is now. */
export interface Message {
  readonly operationType: 'data_update';
  /** What the application that it is for calls the user. */
  readonly applicationUserSub: string;
  /** Of the change, as `date-time.ts` writes it. */
  readonly dateTime: string;
}

/** A message and the application that it is for, which subscriptions filter by. */
export interface Notification {
  readonly applicationId: string;
  readonly message: Message;
}
