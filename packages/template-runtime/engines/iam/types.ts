import type { Condition } from './conditions.ts';

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

/** What a user asked for, and whether it was allowed. */
export type UserRequest = Omit<AuthorizationRequest, 'accessKeyId'> & { readonly isAllowed: boolean };

export type Decision =
  | { readonly allowed: true }
  /** `message` is worded as AWS words an AccessDeniedException. */
  | { readonly allowed: false; readonly message: string };

/** A service that may assume a role, e.g. `lambda.amazonaws.com`: always, or under a condition. */
export type Trust = string | { readonly service: string; readonly holds: Condition };

/**
 * The template's roles, additional users, and their credentials. Unknown access keys belong to the operator, who may do
 * everything.
 */
export interface Identities {
  registerRole(role: {
    readonly arn: string;
    readonly name: string;
    readonly trusts: readonly Trust[];
  }): void;
  /** Whether the service may assume the role on behalf of the resource. */
  trusts(roleArn: string, service: string, sourceArn?: string): boolean;
  /** Throws on a policy element that the checker does not know, which stops the start. */
  attachPolicy(roleName: string, policy: unknown): void;
  /** The session is named after the function, as on Lambda. */
  credentialsFor(roleArn: string, sessionName: string): Credentials;
  /**
   * Creates a user who may do only what the policy allows; replaces a user of the same name. Throws as `attachPolicy`
   * does.
   */
  createUser(user: { readonly name: string; readonly policy: unknown }): Credentials;
  /** What a user asked for; empty for credentials that belong to no user. */
  requestsOf(accessKeyId: string): readonly UserRequest[];
  /** The name of a user, or of a role's session; `undefined` for the operator. */
  sessionName(accessKeyId: string): string | undefined;
  authorize(request: AuthorizationRequest): Decision;
  /** For services that act under a role themselves, as Lambda's pollers do under the function's role. */
  authorizeRole(
    request: Omit<AuthorizationRequest, 'accessKeyId'> & {
      readonly roleArn: string;
      readonly sessionName: string;
    },
  ): Decision;
}
