import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';

type Condition = Pick<UpdateCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;

/**
 * An update that sets these attributes, removes those that are `undefined`, and leaves others as they are, because a
 * later release may have stored them. At least one attribute must be set.
 */
export const attributeUpdate = (
  attributes: Readonly<Record<string, unknown>>,
  { ExpressionAttributeValues: read, ...condition }: Condition = {},
) => {
  const names = Object.keys(attributes);
  const set = names.filter((name) => attributes[name] !== undefined);
  const removed = names.filter((name) => attributes[name] === undefined);
  const sets = `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}`;
  return {
    UpdateExpression:
      removed.length === 0 ? sets : `${sets} REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    ...condition,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
      ...read,
    },
  };
};
