import { createHash } from 'node:crypto';
import { accountId, region } from '../account.ts';
import { covering, judge, parsePolicy, type Statement } from './policy.ts';
import type { AuthorizationRequest, Decision, Identities, Trust, UserRequest } from './types.ts';

interface Role {
  readonly arn: string;
  readonly name: string;
  readonly trusts: readonly Trust[];
  readonly statements: Statement[];
  /** Caches which statements cover a call, by action and resource, because a role repeats the same few calls. */
  readonly covering: Map<string, readonly Statement[]>;
}

type Principal = Pick<Role, 'arn' | 'statements' | 'covering'>;

interface Session {
  readonly principal: Principal;
  readonly name: string;
  /** The caller's ARN, as shown in the message of a refusal. */
  readonly arn: string;
}

const sessionOf = (role: Role, name: string): Session => ({
  principal: role,
  name,
  arn: `arn:aws:sts::${accountId}:assumed-role/${role.name}/${name}`,
});

/**
 * The maximum number of cached calls for each role or user. Without a limit, requests with ever new resource names
 * could fill the memory. A role's functions usually make fewer distinct calls than this.
 */
const rememberedCalls = 1_000;

export const createIdentities = (): Identities => {
  const rolesByArn = new Map<string, Role>();
  const rolesByName = new Map<string, Role>();
  const sessions = new Map<string, Session>();
  /** The distinct calls that each user has made, by the user's access key. */
  const asked = new Map<string, Map<string, UserRequest>>();

  const roleOf = (arn: string): Role => {
    const role = rolesByArn.get(arn);
    if (role === undefined) throw new Error(`The role ${arn} does not exist`);
    return role;
  };

  const coveringOf = (
    principal: Principal,
    call: { action: string; resource: string },
  ): readonly Statement[] => {
    const name = `${call.action} ${call.resource}`;
    const found = principal.covering.get(name) ?? covering(principal.statements, call);
    if (principal.covering.size >= rememberedCalls) principal.covering.clear();
    principal.covering.set(name, found);
    return found;
  };

  const decide = (
    { principal, arn }: Session,
    { action, resources, context = {} }: Omit<AuthorizationRequest, 'accessKeyId'>,
  ): Decision => {
    const requestContext = () =>
      new Map([
        ['aws:principalaccount', [accountId]],
        ['aws:principalarn', [principal.arn]],
        ['aws:requestedregion', [region]],
        ['aws:resourceaccount', [accountId]],
        ['aws:securetransport', ['true']],
        ...Object.entries(context).map(
          ([key, values]) => [key.toLowerCase(), [...values]] as [string, string[]],
        ),
      ]);
    for (const resource of resources) {
      const verdict = judge(coveringOf(principal, { action, resource }), requestContext);
      if (verdict !== 'allowed') {
        const reason =
          verdict === 'explicitlyDenied'
            ? 'with an explicit deny in an identity-based policy'
            : `because no identity-based policy allows the ${action} action`;
        return {
          allowed: false,
          message: `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} ${reason}`,
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
      if (role === undefined) throw new Error(`The role ${roleName} does not exist`);
      role.statements.push(...parsePolicy(policy));
      role.covering.clear();
    },
    credentialsFor: (roleArn, sessionName) => {
      const role = roleOf(roleArn);
      const accessKeyId = `ASIA${digest(`${roleArn} ${sessionName}`).slice(0, 16).toUpperCase()}`;
      sessions.set(accessKeyId, sessionOf(role, sessionName));
      return { accessKeyId, secretAccessKey: secretOf(accessKeyId) };
    },
    createUser: ({ name, policy }) => {
      const arn = `arn:aws:iam::${accountId}:user/${name}`;
      const statements = [...parsePolicy(policy)];
      const accessKeyId = `AKIA${digest(arn).slice(0, 16).toUpperCase()}`;
      sessions.set(accessKeyId, { principal: { arn, statements, covering: new Map() }, name, arn });
      asked.set(accessKeyId, new Map());
      return { accessKeyId, secretAccessKey: secretOf(accessKeyId) };
    },
    requestsOf: (accessKeyId) => [...(asked.get(accessKeyId)?.values() ?? [])],
    sessionName: (accessKeyId) => sessions.get(accessKeyId)?.name,
    authorize: ({ accessKeyId, ...request }) => {
      const session = sessions.get(accessKeyId);
      if (session === undefined) return { allowed: true };
      const decision = decide(session, request);
      asked.get(accessKeyId)?.set(JSON.stringify(request), { ...request, isAllowed: decision.allowed });
      return decision;
    },
    authorizeRole: ({ roleArn, sessionName, ...request }) =>
      decide(sessionOf(roleOf(roleArn), sessionName), request),
  };
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const secretOf = (accessKeyId: string): string => digest(`secret of ${accessKeyId}`).slice(0, 40);
