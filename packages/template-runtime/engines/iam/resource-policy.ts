import * as z from 'zod';
import { covering, judge, parsePolicy } from './policy.ts';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const principalElement = z.union([
  z.literal('*').transform(() => ({ services: ['*'] })),
  z
    .looseObject({ Service: oneOrMore.optional(), AWS: oneOrMore.optional() })
    .transform(({ Service = [], AWS = [] }) => ({
      services: [...Service, ...(AWS.includes('*') ? ['*'] : [])],
    })),
]);
const statement = z.looseObject({ Principal: principalElement });
const document = z.looseObject({
  Statement: z.union([z.array(statement), statement.transform((one) => [one])]),
});

export const policyAdmitsService = ({
  policy,
  service,
  action,
  resource,
  context,
}: {
  readonly policy: unknown;
  readonly service: string;
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, string>>;
}): boolean => {
  const about = document
    .parse(policy)
    .Statement.filter(({ Principal }) => Principal.services.some((one) => one === '*' || one === service))
    .map(({ Principal: _, ...rest }) => rest);
  const statements = parsePolicy({ Version: '2012-10-17', Statement: about });
  const keys = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), [value]]));
  return judge(covering(statements, { action, resource }), () => keys) === 'allowed';
};
