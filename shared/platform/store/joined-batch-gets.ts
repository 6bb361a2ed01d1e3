import type { BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import { keysAtMost } from './batch-get.ts';
import type { DocumentClient } from './client.ts';

type Requested = NonNullable<BatchGetCommandInput['RequestItems']>;
type BatchGet = DocumentClient['batchGet'];

const keysOf = (requested: Requested): number =>
  Object.values(requested).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);

const ofTables = <Value>(
  values: Readonly<Record<string, Value>> = {},
  tables: readonly string[],
): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => tables.includes(name)));

/**
 * Sends reads of batches that are begun in the same moment as one call, if each is of another table. A call costs a
 * function more processor time than what it reads.
 */
export const joiningBatchGets = (client: DocumentClient): DocumentClient => {
  let begun: { readonly requested: Requested; readonly answer: ReturnType<BatchGet> } | undefined;
  const begin = () => {
    const requested: Requested = {};
    const send = (): ReturnType<BatchGet> => {
      if (begun?.requested === requested) begun = undefined;
      return client.batchGet({ RequestItems: requested });
    };
    return { requested, answer: Promise.resolve().then(send) };
  };
  const isRoomFor = (asked: Requested, { requested }: { readonly requested: Requested }): boolean =>
    !Object.keys(asked).some((name) => name in requested) && keysOf(asked) + keysOf(requested) <= keysAtMost;
  return {
    ...client,
    batchGet: async ({ RequestItems: asked = {} }) => {
      if (begun === undefined || !isRoomFor(asked, begun)) begun = begin();
      const { requested, answer } = begun;
      Object.assign(requested, asked);
      const { Responses, UnprocessedKeys } = await answer;
      const tables = Object.keys(asked);
      return {
        Responses: ofTables(Responses, tables),
        UnprocessedKeys: ofTables(UnprocessedKeys, tables),
      };
    },
  };
};
