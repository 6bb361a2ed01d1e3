import { createHash } from 'node:crypto';
import { accountId, region } from '../account.ts';
import { judge, parsePolicy, type Statement } from './policy.ts';
import type { AuthorizationRequest, Decision, Identities, Trust } from './types.ts';

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
    sessionName: (accessKeyId) => sessions.get(accessKeyId)?.name,
    authorize: ({ accessKeyId, ...request }) => {
      const session = sessions.get(accessKeyId);
      return session === undefined ? { allowed: true } : decide(session, request);
    },
    authorizeRole: ({ roleArn, sessionName, ...request }) =>
      decide({ role: roleOf(roleArn), name: sessionName }, request),
  };
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
