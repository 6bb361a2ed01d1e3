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

/** What a user asked for, and whether it got it. */
export type AskedFor = Omit<AuthorizationRequest, 'accessKeyId'> & { readonly isAllowed: boolean };

export type Decision =
  | { readonly allowed: true }
  /** `message` is worded as AWS words an AccessDeniedException. */
  | { readonly allowed: false; readonly message: string };

/** A service that may assume a role, e.g. `lambda.amazonaws.com`: always, or under a condition. */
export type Trust = string | { readonly service: string; readonly holds: Condition };

/**
 * Roles of the template and users beside it, and the credentials that stand for them. Unknown access keys are the
 * operator's: all is allowed.
 */
export interface Identities {
  registerRole(role: {
    readonly arn: string;
    readonly name: string;
    readonly trusts: readonly Trust[];
  }): void;
  /** Whether the service may assume the role, for the resource that it does so for. */
  trusts(roleArn: string, service: string, sourceArn?: string): boolean;
  /** Throws (and so stops the start) on a policy element that the checker does not know. */
  attachPolicy(roleName: string, policy: unknown): void;
  /** The session is named after the function, as Lambda does. */
  credentialsFor(roleArn: string, sessionName: string): Credentials;
  /** A user who may do what the policy says and nothing else; one of that name is replaced. Throws as `attachPolicy`. */
  createUser(user: { readonly name: string; readonly policy: unknown }): Credentials;
  /** What a user asked for; nothing for credentials that are no user's. */
  askedFor(accessKeyId: string): readonly AskedFor[];
  /** A user's name, or that of the session of a role; `undefined` for the operator's. */
  sessionName(accessKeyId: string): string | undefined;
  authorize(request: AuthorizationRequest): Decision;
  /** For services that act under a role themselves, as Lambda's pollers do under the function's. */
  authorizeRole(
    request: Omit<AuthorizationRequest, 'accessKeyId'> & {
      readonly roleArn: string;
      readonly sessionName: string;
    },
  ): Decision;
}
