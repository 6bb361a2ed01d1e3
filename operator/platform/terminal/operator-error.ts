/** An error that the operator can act on; only its message is shown. */
export class OperatorError extends Error {
  constructor({ message, cause }: { readonly message: string; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OperatorError';
  }
}

/** An irreversible action was not done, because it was not confirmed. */
export class NotConfirmedError extends OperatorError {
  constructor({ message }: { readonly message: string }) {
    super({ message });
    this.name = 'NotConfirmedError';
  }
}

/** The command line is wrong, whatever the state of the stage. */
export class UsageError extends OperatorError {
  constructor({ message }: { readonly message: string }) {
    super({ message });
    this.name = 'UsageError';
  }
}
