import type { Condition } from './conditions.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A call to be authorized, e.g. `dynamodb:GetItem` on `arn:aws:dynamodb:…:table/x`. */
export interface AuthorizationRequest {
  readonly accessKeyId: string;
  readonly action: string;
  readonly resources: readonly string[];
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

export type UserRequest = Omit<AuthorizationRequest, 'accessKeyId'> & { readonly isAllowed: boolean };

export type Decision =
  | { readonly allowed: true }
  /** `message` is the message of AWS's `AccessDeniedException`. */
  | { readonly allowed: false; readonly message: string };

/** A service that may assume a role, e.g. `lambda.amazonaws.com`. An object adds a condition. */
export type Trust = string | { readonly service: string; readonly holds: Condition };

/**
 * The template's roles, additional users, and their credentials. A caller with an unknown access key is the operator,
 * who may do everything.
 */
export interface Identities {
  registerRole(role: {
    readonly arn: string;
    readonly name: string;
    readonly trusts: readonly Trust[];
  }): void;
  trusts(roleArn: string, service: string, sourceArn?: string): boolean;
  /** Throws on a policy element that the runtime does not support. The runtime then does not start. */
  attachPolicy(roleName: string, policy: unknown): void;
  /** `sessionName` is the name of the function, as on Lambda. */
  credentialsFor(roleArn: string, sessionName: string): Credentials;
  /**
   * Creates a user who may do only what the policy allows. Replaces a user of the same name. Throws as `attachPolicy`
   * does.
   */
  createUser(user: { readonly name: string; readonly policy: unknown }): Credentials;
  /** The distinct calls of a user; empty for credentials that belong to no user. */
  requestsOf(accessKeyId: string): readonly UserRequest[];
  /** The name of a user, or of a role's session; `undefined` for the operator. */
  sessionName(accessKeyId: string): string | undefined;
  authorize(request: AuthorizationRequest): Decision;
  /** Authorizes a service that acts under a role, as Lambda's pollers do under the function's role. */
  authorizeRole(
    request: Omit<AuthorizationRequest, 'accessKeyId'> & {
      readonly roleArn: string;
      readonly sessionName: string;
    },
  ): Decision;
}
