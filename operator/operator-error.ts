/** Something that the operator can do something about; its message is all that is shown. */
export class OperatorError extends Error {
  constructor({ message, cause }: { readonly message: string; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OperatorError';
  }
}

/** Something that cannot be taken back was not done, since nobody agreed to it. */
export class NotConfirmedError extends OperatorError {
  constructor({ message }: { readonly message: string }) {
    super({ message });
    this.name = 'NotConfirmedError';
  }
}

/** The command line asks for what cannot be, whatever the state of the stage. */
export class UsageError extends OperatorError {
  constructor({ message }: { readonly message: string }) {
    super({ message });
    this.name = 'UsageError';
  }
}
