import { arnPattern, globPattern } from './glob.ts';

/** The values of a call's condition keys. The keys are in lower case, because IAM ignores their case. */
export type RequestContext = ReadonlyMap<string, readonly string[]>;

export type Condition = (context: RequestContext) => boolean;

type Comparison = (value: string, wanted: string) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  StringEquals: (value, wanted) => value === wanted,
  StringEqualsIgnoreCase: (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  StringLike: (value, wanted) => globPattern(wanted).test(value),
  ArnEquals: (value, wanted) => arnPattern(wanted)(value),
  ArnLike: (value, wanted) => arnPattern(wanted)(value),
  Bool: (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  NumericEquals: (value, wanted) => Number(value) === Number(wanted),
  NumericLessThan: (value, wanted) => Number(value) < Number(wanted),
  NumericLessThanEquals: (value, wanted) => Number(value) <= Number(wanted),
  NumericGreaterThan: (value, wanted) => Number(value) > Number(wanted),
  NumericGreaterThanEquals: (value, wanted) => Number(value) >= Number(wanted),
};

/**
 * The comparison of each negated operator, without the negation. A negated condition holds when none of the policy's
 * values matches.
 */
const negations: Readonly<Record<string, Comparison>> = {
  StringNotEquals: (value, wanted) => value === wanted,
  StringNotEqualsIgnoreCase: (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  StringNotLike: (value, wanted) => globPattern(wanted).test(value),
  ArnNotEquals: (value, wanted) => arnPattern(wanted)(value),
  ArnNotLike: (value, wanted) => arnPattern(wanted)(value),
  NumericNotEquals: (value, wanted) => Number(value) === Number(wanted),
};

/**
 * Condition keys that the AWS endpoint or the policy checker fills in. A policy with any other key cannot be evaluated.
 */
const knownKeys = new Set(
  [
    'aws:PrincipalAccount',
    'aws:PrincipalArn',
    'aws:RequestedRegion',
    'aws:ResourceAccount',
    'aws:SecureTransport',
    'aws:SourceAccount',
    'aws:SourceArn',
    'cloudwatch:namespace',
    'dynamodb:Attributes',
    'dynamodb:EnclosingOperation',
    'dynamodb:LeadingKeys',
    'dynamodb:ReturnValues',
    'dynamodb:Select',
    'kms:CallerAccount',
    'kms:EncryptionContext:aws:logs:arn',
    'kms:GrantIsForAWSResource',
    'kms:KeySpec',
    'kms:KeyUsage',
    'kms:MessageType',
    'kms:SigningAlgorithm',
    'kms:ViaService',
    'secretsmanager:SecretId',
    'secretsmanager:VersionStage',
    'sns:Endpoint',
    'sns:Protocol',
  ].map((key) => key.toLowerCase()),
);

/** Throws on an unknown operator or key. */
export const parseCondition = (
  block: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
): Condition => {
  const conditions = Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, wanted]) => conditionOf({ operator, key, wanted })),
  );
  return (context) => conditions.every((condition) => condition(context));
};

const conditionOf = ({
  operator,
  key,
  wanted,
}: {
  readonly operator: string;
  readonly key: string;
  readonly wanted: readonly string[];
}): Condition => {
  const [, quantifier, stem = '', ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  const name = key.toLowerCase();
  if (!knownKeys.has(name) && !name.startsWith('aws:resourcetag/'))
    throw new Error(`the local runtime does not support the condition key ${key}`);
  if (stem === 'Null') return (context) => (context.get(name) === undefined) === (wanted[0] === 'true');

  const negated = Object.hasOwn(negations, stem);
  const comparison = negated
    ? negations[stem]
    : Object.hasOwn(comparisons, stem)
      ? comparisons[stem]
      : undefined;
  if (comparison === undefined)
    throw new Error(`the local runtime does not support the condition operator ${operator}`);
  const holds = (value: string): boolean => wanted.some((one) => comparison(value, one)) !== negated;

  return (context) => {
    const values = context.get(name);
    if (quantifier === 'ForAllValues') return (values ?? []).every(holds);
    if (values === undefined || values.length === 0)
      return ifExists !== undefined || (negated && !quantifier);
    return negated && !quantifier ? values.every(holds) : values.some(holds);
  };
};
