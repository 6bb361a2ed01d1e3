import {
  GetWebACLCommand,
  type Rule,
  type Statement,
  UpdateWebACLCommand,
  WAFOptimisticLockException,
  WAFV2Client,
} from '@aws-sdk/client-wafv2';
import type { OriginVerify } from '../../../shared/platform/aws/own-secrets.ts';
import { originVerifyRule } from '../../../shared/platform/origin-verify.ts';
import type { Target } from '../../platform/target/target.ts';

/** How often a change is tried again if somebody else has changed the web ACL first. */
const triesAtMost = 5;

/** The comparisons with the header, in the order of their values in the template. */
const comparisonsIn = ({
  AndStatement,
  OrStatement,
  NotStatement,
  ByteMatchStatement,
}: Statement): NonNullable<Statement['ByteMatchStatement']>[] => [
  ...(ByteMatchStatement ? [ByteMatchStatement] : []),
  ...(NotStatement?.Statement ? comparisonsIn(NotStatement.Statement) : []),
  ...[...(AndStatement?.Statements ?? []), ...(OrStatement?.Statements ?? [])].flatMap(comparisonsIn),
];

const comparisonsOf = (rules: readonly Rule[]) => {
  const rule = rules.find(({ Name }) => Name === originVerifyRule);
  const [current, next, ...others] = comparisonsIn(rule?.Statement ?? {});
  if (current === undefined || next === undefined || others.length > 0) {
    throw new Error(`The web ACL's rule ${originVerifyRule} does not compare a header with two values`);
  }
  return { current, next };
};

/** The rule of the firewall that compares `x-origin-verify` with the secret. */
export const originRule = (target: Target) => {
  // CloudFormation's `Ref` of a web ACL.
  const [Name, Id] = target.output('OriginWebAcl').split('|');
  const acl = { Name, Id, Scope: 'REGIONAL' } as const;

  const withClient = async <Result>(work: (client: WAFV2Client) => Promise<Result>): Promise<Result> => {
    const client = new WAFV2Client(target.aws);
    try {
      return await work(client);
    } finally {
      client.destroy();
    }
  };
  const read = async (client: WAFV2Client) => {
    const { WebACL, LockToken } = await client.send(new GetWebACLCommand(acl));
    if (WebACL === undefined) throw new Error(`WAF gave no web ACL ${Name}`);
    return { WebACL, LockToken };
  };
  const writeOnce = async (client: WAFV2Client, values: OriginVerify): Promise<void> => {
    const { WebACL, LockToken } = await read(client);
    const { Rules = [], DefaultAction, Description, VisibilityConfig } = WebACL;
    const { CustomResponseBodies, AssociationConfig } = WebACL;
    for (const [field, comparison] of Object.entries(comparisonsOf(Rules))) {
      comparison.SearchString = Buffer.from(values[field as keyof OriginVerify]);
    }
    await client.send(
      new UpdateWebACLCommand({
        ...acl,
        LockToken,
        Rules,
        DefaultAction,
        VisibilityConfig,
        ...(Description !== undefined && { Description }),
        ...(CustomResponseBodies && { CustomResponseBodies }),
        ...(AssociationConfig && { AssociationConfig }),
      }),
    );
  };

  return {
    /** Whether the rule compares with these values. */
    has: (values: OriginVerify): Promise<boolean> =>
      withClient(async (client) => {
        const { WebACL } = await read(client);
        return Object.entries(comparisonsOf(WebACL.Rules ?? [])).every(
          ([field, { SearchString = Buffer.of() }]) =>
            Buffer.from(SearchString).toString() === values[field as keyof OriginVerify],
        );
      }),
    /** The rule compares with these values from now on. WAF may need minutes until it does so everywhere. */
    write: (values: OriginVerify): Promise<void> =>
      withClient(async (client) => {
        for (let tries = 1; ; tries += 1) {
          try {
            return await writeOnce(client, values);
          } catch (error) {
            if (!(error instanceof WAFOptimisticLockException) || tries === triesAtMost) throw error;
          }
        }
      }),
  };
};
