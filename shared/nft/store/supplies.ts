import * as z from 'zod';
import { answerIfHeld, type Table } from '../../platform/store/client.ts';
import type { Places, Supplies } from '../ports/supplies.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import { counterKey, fenceKey } from './nft-items.ts';

/**
 * The name of a mark. Marks are attributes of the item that counts the collection's token ids. A mark stands for places
 * in the supply that were reserved, but have not been confirmed or released yet. Its value is the token id of the first
 * of these places.
 */
const markOf = ({ takenAt, count, owner }: Omit<Places, 'firstTokenId'>): string =>
  `places#${takenAt}#${count}#${owner}`;

const markPattern = /^places#(\d+)#(\d+)#(.+)$/;

/** Whether an attribute of the item is a mark. */
export const isMark = (name: string): boolean => markPattern.test(name);

const itemSchema = z.looseObject({ taken: z.int().default(0) });

const placesIn = (item: Record<string, unknown>, { applicationId, contract }: CollectionKey): Places[] =>
  Object.entries(item).flatMap(([name, firstTokenId]) => {
    const [, takenAt, count, owner] = markPattern.exec(name) ?? [];
    if (owner === undefined) return [];
    return [
      {
        applicationId,
        contract,
        firstTokenId: String(firstTokenId),
        count: Number(count),
        owner,
        takenAt: Number(takenAt),
      },
    ];
  });

const hasRoom = '(attribute_not_exists(taken) OR taken <= :room)';
const isUnmarked = 'attribute_not_exists(#mark)';
/**
 * A `take` that runs a second time after its mark was removed sets the mark again, for other ids. Those places are not
 * the caller's, so `keep` and `giveBack` must leave them to a later mint, which frees them.
 */
const isTheirMark = '#mark = :first';
const isLimited = 'attribute_exists(taken)';
const isReturned = 'contains(returned, :id)';
const isNotReturned = `NOT ${isReturned}`;

export const dynamoDbSupplies = ({ client, tableName }: Table): Supplies => {
  /** Returns the attributes that `ReturnValues` selects. Returns `undefined` when the condition does not hold. */
  const update = async (
    key: CollectionKey,
    {
      names,
      ...input
    }: {
      readonly names?: Record<string, string>;
      readonly UpdateExpression: string;
      readonly ConditionExpression: string;
      readonly ReturnValues?: 'ALL_NEW';
      readonly ExpressionAttributeValues?: Record<string, unknown>;
    },
  ): Promise<Record<string, unknown> | undefined> => {
    const answer = await answerIfHeld(
      client.update({
        TableName: tableName,
        Key: counterKey(key),
        ...(names !== undefined && { ExpressionAttributeNames: names }),
        ...input,
      }),
    );
    return answer && (answer.Attributes ?? {});
  };

  const read = async (key: CollectionKey): Promise<Record<string, unknown>> => {
    const { Item = {} } = await client.get({
      TableName: tableName,
      Key: counterKey(key),
      ConsistentRead: true,
    });
    return Item;
  };

  return {
    take: async ({ maxSupply, ...wanted }) => {
      const { count, owner } = wanted;
      const item =
        count > maxSupply
          ? undefined
          : await update(wanted, {
              UpdateExpression:
                'SET tokens = if_not_exists(tokens, :none) + :count, taken = if_not_exists(taken, :none) + :count, #mark = if_not_exists(tokens, :none) + :one',
              ConditionExpression: `${hasRoom} AND ${isUnmarked}`,
              ReturnValues: 'ALL_NEW',
              names: { '#mark': markOf(wanted) },
              ExpressionAttributeValues: {
                ':none': 0,
                ':one': 1,
                ':count': count,
                ':room': maxSupply - count,
              },
            });
      // If the write was refused, either too few places are left, or an earlier try of this write has already reserved
      // the places and the response to it was lost. In the second case the item has this request's mark.
      const now = item ?? (await read(wanted));
      const marked = placesIn(now, wanted);
      return {
        places: marked.find((places) => places.owner === owner),
        left: maxSupply - itemSchema.parse(now).taken,
        marked: marked.filter((places) => places.owner !== owner),
      };
    },

    keep: async (places) => {
      await update(places, {
        UpdateExpression: 'REMOVE #mark',
        ConditionExpression: isTheirMark,
        names: { '#mark': markOf(places) },
        ExpressionAttributeValues: { ':first': Number(places.firstTokenId) },
      });
    },

    fence: async (places) => {
      await client.put({ TableName: tableName, Item: fenceKey(places) });
    },

    giveBack: async (places) => {
      await update(places, {
        UpdateExpression: 'SET taken = taken - :count REMOVE #mark',
        ConditionExpression: isTheirMark,
        names: { '#mark': markOf(places) },
        ExpressionAttributeValues: { ':count': places.count, ':first': Number(places.firstTokenId) },
      });
    },

    giveBackFailed: async ({ firstTokenId, count, ...key }) => {
      const id = Number(firstTokenId);
      await update(key, {
        UpdateExpression: 'SET taken = taken - :count ADD returned :ids',
        ConditionExpression: `${isLimited} AND ${isNotReturned}`,
        ExpressionAttributeValues: { ':count': count, ':id': id, ':ids': new Set([id]) },
      });
    },

    takeReturned: async ({ firstTokenId, count, ...key }) => {
      const id = Number(firstTokenId);
      await update(key, {
        UpdateExpression: 'SET taken = taken + :count DELETE returned :ids',
        ConditionExpression: isReturned,
        ExpressionAttributeValues: { ':count': count, ':id': id, ':ids': new Set([id]) },
      });
    },
  };
};
