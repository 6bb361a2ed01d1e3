/** A refusal by an AWS service, under its code as name, e.g. `ConditionalCheckFailedException`, as the AWS SDK has it. */
export class AwsServiceError extends Error {
  readonly $fault: 'client' | 'server';
  readonly $metadata: { readonly httpStatusCode: number; readonly requestId: string | undefined };
  /** What the answer says besides, e.g. `CancellationReasons`. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor({
    code,
    message,
    status,
    requestId,
    fields,
  }: {
    readonly code: string;
    readonly message: string;
    readonly status: number;
    readonly requestId: string | undefined;
    readonly fields: Readonly<Record<string, unknown>>;
  }) {
    super(message);
    this.name = code;
    this.$fault = status < 500 ? 'client' : 'server';
    this.$metadata = { httpStatusCode: status, requestId };
    this.fields = fields;
  }
}

/** Whether AWS refused it with one of these codes. */
export const isRefusal = (error: unknown, ...codes: readonly string[]): error is AwsServiceError =>
  error instanceof AwsServiceError && codes.includes(error.name);
