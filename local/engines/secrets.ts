export interface SecretDescription {
  readonly arn: string;
  readonly name: string;
  readonly description?: string;
  readonly createdDate: Date;
  readonly lastChangedDate: Date;
  readonly versionId: string;
}

/** What stands in for Secrets Manager. `id` is a secret's name, its ARN, or its ARN without the six random characters. */
export interface SecretEngine {
  /** Keeps the value that the state directory already holds, if any. */
  create(secret: {
    readonly name: string;
    readonly description?: string;
    readonly initialValue: string;
  }): SecretDescription;
  get(id: string): SecretDescription & { readonly value: string };
  put(id: string, value: string): SecretDescription;
  list(): readonly SecretDescription[];
}
