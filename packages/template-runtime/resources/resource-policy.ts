import * as z from 'zod';

const oneOrMore = z.union([z.string(), z.array(z.string())]);

const conditionOperators = z.enum([
  'ArnEquals',
  'ArnLike',
  'ArnNotEquals',
  'ArnNotLike',
  'Bool',
  'Null',
  'NumericEquals',
  'NumericGreaterThan',
  'NumericGreaterThanEquals',
  'NumericLessThan',
  'NumericLessThanEquals',
  'NumericNotEquals',
  'StringEquals',
  'StringEqualsIgnoreCase',
  'StringLike',
  'StringNotEquals',
  'StringNotLike',
]);
const conditionValue = z.union([oneOrMore, z.boolean(), z.number()]);

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: z.union([
    z.literal('*'),
    z.strictObject({ AWS: oneOrMore.optional(), Service: oneOrMore.optional() }),
  ]),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.partialRecord(conditionOperators, z.record(z.string(), conditionValue)).optional(),
});

/** The resource policy of a key, topic, queue or secret. Its elements are checked at deployment. */
export const resourcePolicy = z.strictObject({
  Version: z.enum(['2012-10-17', '2008-10-17']).optional(),
  Id: z.string().optional(),
  Statement: z.union([z.array(statement), statement.transform((one) => [one])]),
});
