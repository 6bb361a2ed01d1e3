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
  /**
   * The policy of the called resource. It decides together with the caller's own policies: it may deny, and it must
   * admit the caller or the whole account. @default only the caller's own policies decide
   */
  readonly resourcePolicy?: unknown;
}

export type UserRequest = Omit<AuthorizationRequest, 'accessKeyId' | 'resourcePolicy'> & {
  readonly isAllowed: boolean;
};

export type Decision =
  | { readonly allowed: true }
  /** `message` is the message of AWS's `AccessDeniedException`. */
  | { readonly allowed: false; readonly message: string };

/** A service that may assume a role, e.g. `lambda.amazonaws.com`. An object adds a condition. */
export type Trust = string | { readonly service: string; readonly holds: Condition };

/**
 * The template's roles, additional users, and their credentials. A caller with an unknown access key is the operator, the
 * account's root user: only the policy of a resource can refuse the operator. An access key of twelve digits is the root
 * user of another account, who may use only resources of that account, and those whose policy allows it.
 */
export interface Identities {
  registerRole(role: {
    readonly arn: string;
    readonly name: string;
    readonly trusts: readonly Trust[];
  }): void;
  trusts(roleArn: string, service: string, sourceArn?: string): boolean;
  /**
   * Adds an inline policy, or replaces that of the same name. Throws on a policy element that the runtime does not
   * support.
   *
   * @param policyName @default a name of its own
   */
  attachPolicy(roleName: string, policy: unknown, policyName?: string): void;
  /** @throws ServiceFault `NoSuchEntity` */
  detachPolicy(roleName: string, policyName: string): void;
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
  /** Decides like `authorize`, but for a call that is not made now. */
  wouldAuthorize(request: AuthorizationRequest): Decision;
  /** Authorizes a service that acts under a role, as Lambda's pollers do under the function's role. */
  authorizeRole(
    request: Omit<AuthorizationRequest, 'accessKeyId'> & {
      readonly roleArn: string;
      readonly sessionName: string;
    },
  ): Decision;
}
