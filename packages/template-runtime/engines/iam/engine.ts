import { createHash } from 'node:crypto';
import { accountId, region } from '../account.ts';
import { covering, judge, parsePolicy, type Statement } from './policy.ts';
import type { AuthorizationRequest, Decision, Identities, Trust } from './types.ts';

interface Role {
  readonly arn: string;
  readonly name: string;
  readonly trusts: readonly Trust[];
  readonly statements: Statement[];
  /** Those that cover a call, by its action and resource: the same few calls are judged again and again. */
  readonly covering: Map<string, readonly Statement[]>;
}

interface Session {
  readonly role: Role;
  readonly name: string;
}

/** More than a role's functions ask for, so that names from outside do not fill the memory. */
const rememberedCalls = 1_000;

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

  const coveringOf = (role: Role, call: { action: string; resource: string }): readonly Statement[] => {
    const name = `${call.action} ${call.resource}`;
    const found = role.covering.get(name) ?? covering(role.statements, call);
    if (role.covering.size >= rememberedCalls) role.covering.clear();
    role.covering.set(name, found);
    return found;
  };

  const decide = (
    { role, name }: Session,
    { action, resources, context = {} }: Omit<AuthorizationRequest, 'accessKeyId'>,
  ): Decision => {
    const requestContext = () =>
      new Map([
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
      const verdict = judge(coveringOf(role, { action, resource }), requestContext);
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
      const role: Role = { arn, name, trusts, statements: [], covering: new Map() };
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
      role.covering.clear();
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
