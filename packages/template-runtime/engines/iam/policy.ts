import * as z from 'zod';
import { type Condition, parseCondition, type RequestContext } from './conditions.ts';
import { globPattern } from './glob.ts';

export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly coversAction: (action: string) => boolean;
  readonly coversResource: (resource: string) => boolean;
  readonly holds: Condition | undefined;
}

export const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1)]);
const scalar = z.union([z.string(), z.boolean(), z.number()]).transform(String);
const conditionValues = z.union([scalar.transform((one) => [one]), z.array(scalar)]);

export const conditionBlock = z.record(z.string(), z.record(z.string(), conditionValues));

const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore.optional(),
  NotAction: oneOrMore.optional(),
  Resource: oneOrMore.optional(),
  NotResource: oneOrMore.optional(),
  Condition: conditionBlock.optional(),
});

const documentSchema = z.strictObject({
  Version: z.literal('2012-10-17'),
  Id: z.string().optional(),
  Statement: z.union([statementSchema.transform((one) => [one]), z.array(statementSchema)]),
});

/** Parses an identity-based policy. Throws on any unknown element. */
export const parsePolicy = (document: unknown): readonly Statement[] => {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data.Statement.map(statementOf);
};

const statementOf = (statement: z.infer<typeof statementSchema>): Statement => ({
  effect: statement.Effect,
  coversAction: coverage({
    what: 'Action',
    only: statement.Action,
    allBut: statement.NotAction,
    pattern: actionPattern,
  }),
  coversResource: coverage({
    what: 'Resource',
    only: statement.Resource,
    allBut: statement.NotResource,
    pattern: resourcePattern,
  }),
  holds: statement.Condition && parseCondition(statement.Condition),
});

const coverage = ({
  what,
  only,
  allBut,
  pattern,
}: {
  readonly what: string;
  readonly only: readonly string[] | undefined;
  readonly allBut: readonly string[] | undefined;
  readonly pattern: (text: string) => RegExp;
}): ((text: string) => boolean) => {
  if ((only === undefined) === (allBut === undefined)) {
    throw new Error(`a statement must have either ${what} or Not${what}, and not both`);
  }
  const patterns = (only ?? allBut ?? []).map(pattern);
  return (text) => patterns.some((one) => one.test(text)) === (only !== undefined);
};

const actionPattern = (action: string): RegExp => {
  if (action !== '*' && !/^[a-z0-9-]+:[A-Za-z0-9*?]+$/.test(action)) {
    throw new Error(`${action} is not the name of an action`);
  }
  return globPattern(action, 'i');
};

const resourcePattern = (resource: string): RegExp => {
  if (resource !== '*' && !/^arn:[^:]+:[^:]*:[^:]*:[^:]*:.+$/s.test(resource)) {
    throw new Error(`${resource} is not an ARN`);
  }
  if (resource.includes('${'))
    throw new Error(`the local runtime does not support policy variables, as in ${resource}`);
  return globPattern(resource);
};

export type Verdict = 'allowed' | 'explicitlyDenied' | 'notAllowed';

/** Returns the statements that are about an action and a resource, whether or not their conditions hold. */
export const covering = (
  statements: readonly Statement[],
  { action, resource }: { readonly action: string; readonly resource: string },
): readonly Statement[] =>
  statements.filter((statement) => statement.coversAction(action) && statement.coversResource(resource));

/**
 * Evaluates as IAM does: an explicit deny wins, and without an allow the call is denied. `statements` must be those
 * that `covering` returned for the call.
 */
export const judge = (statements: readonly Statement[], context: () => RequestContext): Verdict => {
  const applying = statements.filter(({ holds }) => holds === undefined || holds(context()));
  if (applying.some(({ effect }) => effect === 'Deny')) return 'explicitlyDenied';
  return applying.length > 0 ? 'allowed' : 'notAllowed';
};
