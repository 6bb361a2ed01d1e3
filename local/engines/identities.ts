export interface PolicyDocument {
  readonly Version?: string;
  readonly Statement: readonly unknown[] | unknown;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** One call to be checked, in IAM's words: `dynamodb:GetItem` on `arn:aws:dynamodb:…:table/x`. */
export interface AuthorizationRequest {
  readonly accessKeyId: string;
  readonly action: string;
  readonly resources: readonly string[];
  /** Condition keys, e.g. `kms:MessageType`, each with its values. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

export type Decision =
  | { readonly allowed: true }
  /** `message` is worded as AWS words an AccessDeniedException. */
  | { readonly allowed: false; readonly message: string };

/** Roles of the template and the credentials that stand for them. Unknown access keys are the operator's: all is allowed. */
export interface Identities {
  /** Throws (and so stops the start) on a policy element that the checker does not know. */
  registerRole(role: { readonly arn: string; readonly name: string }): void;
  attachPolicy(roleName: string, policy: PolicyDocument): void;
  credentialsFor(roleArn: string): Credentials;
  authorize(request: AuthorizationRequest): Decision;
  authorizeRole(roleArn: string, request: Omit<AuthorizationRequest, 'accessKeyId'>): Decision;
}
