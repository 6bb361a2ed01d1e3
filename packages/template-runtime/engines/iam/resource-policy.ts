import * as z from 'zod';
import type { RequestContext } from './conditions.ts';
import { covering, judge, parsePolicy, type Verdict } from './policy.ts';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const principalElement = z.union([
  z.literal('*').transform((one) => [one]),
  z
    .looseObject({ Service: oneOrMore.default([]), AWS: oneOrMore.default([]) })
    .transform(({ Service, AWS }) => [...Service, ...AWS]),
]);
const statement = z.looseObject({ Principal: principalElement });
const document = z.looseObject({
  Statement: z.union([z.array(statement), statement.transform((one) => [one])]),
});

const statementsOf = (policy: unknown, isAbout: (principals: readonly string[]) => boolean) => {
  const about = document
    .parse(policy)
    .Statement.filter(({ Principal }) => isAbout(Principal))
    .map(({ Principal: _, ...rest }) => rest);
  return parsePolicy({ Version: '2012-10-17', Statement: about });
};

/** Throws on a statement without a principal, and on an element that the runtime does not support. */
export const checkResourcePolicy = (policy: unknown): void => {
  statementsOf(policy, () => true);
};

export interface ResourceQuestion {
  readonly policy: unknown;
  /** All names by which a statement can mean the caller. */
  readonly principals: readonly string[];
  readonly action: string;
  readonly resource: string;
  readonly context: () => RequestContext;
}

export const judgeByResource = ({
  policy,
  principals,
  action,
  resource,
  context,
}: ResourceQuestion): Verdict => {
  const statements = statementsOf(policy, (named) =>
    named.some((one) => one === '*' || principals.includes(one)),
  );
  return judge(covering(statements, { action, resource }), context);
};

export const policyAdmitsService = ({
  service,
  context,
  ...question
}: {
  readonly policy: unknown;
  readonly service: string;
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, string>>;
}): boolean => {
  const keys = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), [value]]));
  return judgeByResource({ ...question, principals: [service], context: () => keys }) === 'allowed';
};
