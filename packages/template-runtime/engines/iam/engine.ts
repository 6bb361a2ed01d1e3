import { createHash, randomUUID } from 'node:crypto';
import { accountId, accountOfArn, accountOfKey, region } from '../account.ts';
import { ServiceFault } from '../service-fault.ts';
import type { RequestContext } from './conditions.ts';
import { covering, judge, parsePolicy, type Statement } from './policy.ts';
import { judgeByResource } from './resource-policy.ts';
import type { AuthorizationRequest, Decision, Identities, Trust, UserRequest } from './types.ts';

interface Role {
  readonly arn: string;
  readonly name: string;
  readonly trusts: readonly Trust[];
  readonly policies: Map<string, readonly Statement[]>;
  /** The statements of all policies. */
  statements: readonly Statement[];
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

const rootOf = (account: string): string => `arn:aws:iam::${account}:root`;

const rootSession = (account: string): Session => ({
  principal: {
    arn: rootOf(account),
    statements: [
      ...parsePolicy({
        Version: '2012-10-17',
        Statement: { Effect: 'Allow', Action: '*', Resource: '*' },
      }),
    ],
    covering: new Map(),
  },
  name: 'operator',
  arn: rootOf(account),
});

const operator = rootSession(accountId);

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

  const roleNamed = (name: string): Role => {
    const role = rolesByName.get(name);
    if (role === undefined) throw noSuchEntity(`The role with name ${name} cannot be found.`);
    return role;
  };
  const renew = (role: Role): void => {
    role.statements = [...role.policies.values()].flat();
    role.covering.clear();
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

  /** Returns the end of AWS's message of a refusal, or `undefined` if the call is allowed. */
  const whyRefused = (
    { principal, arn }: Session,
    {
      resourcePolicy: policy,
      context,
      ...call
    }: {
      readonly action: string;
      readonly resource: string;
      readonly resourcePolicy: unknown;
      readonly context: () => RequestContext;
    },
  ): string | undefined => {
    const own = judge(coveringOf(principal, call), context);
    if (own === 'explicitlyDenied') return 'with an explicit deny in an identity-based policy';
    const notOwn = `because no identity-based policy allows the ${call.action} action`;
    const notOfResource = `because no resource-based policy allows the ${call.action} action`;
    const account = accountOfArn(arn);
    // Across accounts, the policy of the resource must allow the call.
    const isAcross = account !== (accountOfArn(call.resource) || accountId);
    if (policy === undefined) {
      if (isAcross) return notOfResource;
      return own === 'allowed' ? undefined : notOwn;
    }
    const ofResource = (principals: readonly string[]) =>
      judgeByResource({ ...call, policy, principals, context });
    const itself = [principal.arn, arn];
    // A statement that denies the account denies everyone in it. A statement that allows the account has an effect only
    // if the caller's own policies allow the call too.
    const ofAccount = ofResource([...itself, rootOf(account), account]);
    if (ofAccount === 'explicitlyDenied') return 'with an explicit deny in a resource-based policy';
    if (ofAccount === 'notAllowed') return notOfResource;
    return own === 'allowed' || (!isAcross && ofResource(itself) === 'allowed') ? undefined : notOwn;
  };

  const decide = (
    session: Session,
    { action, resources, context = {}, resourcePolicy }: Omit<AuthorizationRequest, 'accessKeyId'>,
  ): Decision => {
    const requestContext = () =>
      new Map([
        ['aws:principalaccount', [accountOfArn(session.arn)]],
        ['aws:principalarn', [session.principal.arn]],
        ['aws:requestedregion', [region]],
        ['aws:resourceaccount', [accountId]],
        ['aws:securetransport', ['true']],
        ...Object.entries(context).map(
          ([key, values]) => [key.toLowerCase(), [...values]] as [string, string[]],
        ),
      ]);
    for (const resource of resources) {
      const reason = whyRefused(session, { action, resource, resourcePolicy, context: requestContext });
      if (reason !== undefined) {
        return {
          allowed: false,
          message: `User: ${session.arn} is not authorized to perform: ${action} on resource: ${resource} ${reason}`,
        };
      }
    }
    return { allowed: true };
  };
  const rootOfKey = (accessKeyId: string): Session => {
    const account = accountOfKey(accessKeyId);
    return account === accountId ? operator : rootSession(account);
  };
  const wouldAuthorize = ({ accessKeyId, ...request }: AuthorizationRequest): Decision =>
    decide(sessions.get(accessKeyId) ?? rootOfKey(accessKeyId), request);

  return {
    registerRole: ({ arn, name, trusts }) => {
      const role: Role = { arn, name, trusts, policies: new Map(), statements: [], covering: new Map() };
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
    attachPolicy: (roleName, policy, policyName = randomUUID()) => {
      const role = roleNamed(roleName);
      role.policies.set(policyName, parsePolicy(policy));
      renew(role);
    },
    detachPolicy: (roleName, policyName) => {
      const role = roleNamed(roleName);
      if (!role.policies.delete(policyName)) {
        throw noSuchEntity(`The role policy with name ${policyName} cannot be found.`);
      }
      renew(role);
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
    authorize: (request) => {
      const decision = wouldAuthorize(request);
      const { accessKeyId, resourcePolicy: _, ...call } = request;
      asked.get(accessKeyId)?.set(JSON.stringify(call), { ...call, isAllowed: decision.allowed });
      return decision;
    },
    wouldAuthorize,
    authorizeRole: ({ roleArn, sessionName, ...request }) =>
      decide(sessionOf(roleOf(roleArn), sessionName), request),
  };
};

const noSuchEntity = (message: string): ServiceFault =>
  new ServiceFault({ code: 'NoSuchEntity', message, status: 404 });

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const secretOf = (accessKeyId: string): string => digest(`secret of ${accessKeyId}`).slice(0, 40);
