import { createHash } from 'node:crypto';
import { accountId, region } from '../account.ts';
import type { Condition } from './conditions.ts';
import { judge, parsePolicy, type Statement } from './policy.ts';

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

/** A service that may assume a role, e.g. `lambda.amazonaws.com`: always, or under a condition. */
export type Trust = string | { readonly service: string; readonly holds: Condition };

/** Roles of the template and the credentials that stand for them. Unknown access keys are the operator's: all is allowed. */
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
  authorize(request: AuthorizationRequest): Decision;
  /** For services that act under a role themselves, as Lambda's pollers do under the function's. */
  authorizeRole(
    request: Omit<AuthorizationRequest, 'accessKeyId'> & {
      readonly roleArn: string;
      readonly sessionName: string;
    },
  ): Decision;
}

interface Role {
  readonly arn: string;
  readonly name: string;
  readonly trusts: readonly Trust[];
  readonly statements: Statement[];
}

interface Session {
  readonly role: Role;
  readonly name: string;
}

/** Checks each call against the policies of the role that makes it. */
export const createIdentities = (): Identities => {
  const rolesByArn = new Map<string, Role>();
  const rolesByName = new Map<string, Role>();
  const sessions = new Map<string, Session>();

  const roleOf = (arn: string): Role => {
    const role = rolesByArn.get(arn);
    if (role === undefined) throw new Error(`There is no role ${arn}`);
    return role;
  };

  const decide = (
    { role, name }: Session,
    { action, resources, context = {} }: Omit<AuthorizationRequest, 'accessKeyId'>,
  ): Decision => {
    const requestContext = new Map([
      ['aws:principalaccount', [accountId]],
      ['aws:principalarn', [role.arn]],
      ['aws:requestedregion', [region]],
      ['aws:resourceaccount', [accountId]],
      ['aws:securetransport', ['true']],
      ...Object.entries(context).map(
        ([key, values]) => [key.toLowerCase(), [...values]] as [string, string[]],
      ),
    ]);
    for (const resource of resources) {
      const verdict = judge({ statements: role.statements, action, resource, context: requestContext });
      if (verdict !== 'allowed') {
        const user = `arn:aws:sts::${accountId}:assumed-role/${role.name}/${name}`;
        const reason =
          verdict === 'explicitlyDenied'
            ? 'with an explicit deny in an identity-based policy'
            : `because no identity-based policy allows the ${action} action`;
        return {
          allowed: false,
          message: `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`,
        };
      }
    }
    return { allowed: true };
  };

  return {
    registerRole: ({ arn, name, trusts }) => {
      const role: Role = { arn, name, trusts, statements: [] };
      rolesByArn.set(arn, role);
      rolesByName.set(name, role);
    },
    trusts: (roleArn, service, sourceArn) => {
      const context = new Map([
        ['aws:sourceaccount', [accountId]],
        ...(sourceArn === undefined ? [] : [['aws:sourcearn', [sourceArn]] as const]),
      ]);
      return roleOf(roleArn).trusts.some((trust) =>
        typeof trust === 'string' ? trust === service : trust.service === service && trust.holds(context),
      );
    },
    attachPolicy: (roleName, policy) => {
      const role = rolesByName.get(roleName);
      if (role === undefined) throw new Error(`There is no role ${roleName}`);
      role.statements.push(...parsePolicy(policy));
    },
    credentialsFor: (roleArn, sessionName) => {
      const role = roleOf(roleArn);
      const accessKeyId = `ASIA${digest(`${roleArn} ${sessionName}`).slice(0, 16).toUpperCase()}`;
      sessions.set(accessKeyId, { role, name: sessionName });
      return { accessKeyId, secretAccessKey: digest(`secret of ${accessKeyId}`).slice(0, 40) };
    },
    authorize: ({ accessKeyId, ...request }) => {
      const session = sessions.get(accessKeyId);
      return session === undefined ? { allowed: true } : decide(session, request);
    },
    authorizeRole: ({ roleArn, sessionName, ...request }) =>
      decide({ role: roleOf(roleArn), name: sessionName }, request),
  };
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
