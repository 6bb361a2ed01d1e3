import * as z from 'zod';
import type { Address } from '../../chain/hex.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import { conditionHeld, scanPages, type Table } from '../../platform/store/client.ts';
import type { VoidTickets, VoidToken } from '../ports/void-tickets.ts';
import { voidTokensAtMost } from '../tickets/void-token.ts';

/**
 * A contract's void tokens are stored in a separate item of the catalogue's table, so that an import of events does not
 * change them.
 */
const voidKey = (contract: Address) => ({ pk: `VOID#${contract}` });

const itemSchema = z.object({
  pk: z.string().startsWith('VOID#'),
  /**
   * When each token was voided, in epoch milliseconds, by token id. All tokens of a contract are in one item, so that a
   * write can be conditional on their number.
   */
  tokens: z.record(z.string(), z.number()),
  /** How many tokens have become valid again. */
  removals: z.int().default(0),
});

const hasNoTokens = 'attribute_not_exists(tokens)';
const isNotVoid = 'attribute_not_exists(tokens.#id) AND size(tokens) < :most';
const hasNoRemovals = 'attribute_not_exists(removals)';
const hasTheseRemovals = 'removals = :read';
const isVoidAsRead = 'tokens.#id = :read';

/** How often a void is tried again because other tokens become valid at the same time. */
const attempts = 8;

const tokensOf = (item: unknown): { readonly contract: Address; readonly tokens: readonly VoidToken[] } => {
  const { pk, tokens } = itemSchema.parse(item);
  const contract = pk.slice('VOID#'.length) as Address;
  return {
    contract,
    tokens: Object.entries(tokens).map(([tokenId, voidedAt]) => ({ contract, tokenId, voidedAt })),
  };
};

export const dynamoDbVoidTickets = ({ client, tableName }: Table): VoidTickets => {
  const read = async (contract: Address) => {
    const { Item } = await client.get({ TableName: tableName, Key: voidKey(contract), ConsistentRead: true });
    return Item === undefined ? undefined : itemSchema.parse(Item);
  };

  return {
    ofContracts: async (contracts) => {
      const keys = [...new Set(contracts)].map(voidKey);
      const items = await batchGet({ client, tableName, keys, attributes: ['pk', 'tokens'] });
      return new Map(
        items
          .map(tokensOf)
          .filter(({ tokens }) => tokens.length > 0)
          .map(({ contract, tokens }) => [contract, tokens]),
      );
    },

    // `add` and `remove` undo each other. So each stands on what it has read, and neither runs again after the other.
    add: async (token) => {
      const { contract, tokenId, voidedAt } = token;
      const write = { TableName: tableName, Key: voidKey(contract) };
      for (let attempt = 1; ; attempt += 1) {
        const before = await read(contract);
        const known = before?.tokens[tokenId];
        if (known !== undefined) return { ...token, voidedAt: known };
        if (Object.keys(before?.tokens ?? {}).length >= voidTokensAtMost) return undefined;
        const removals = before?.removals ?? 0;
        const added =
          before === undefined
            ? client.updateOnce({
                ...write,
                UpdateExpression: 'SET tokens = :tokens',
                ConditionExpression: hasNoTokens,
                ExpressionAttributeValues: { ':tokens': { [tokenId]: voidedAt } },
              })
            : client.updateOnce({
                ...write,
                UpdateExpression: 'SET tokens.#id = :at',
                ConditionExpression: `${isNotVoid} AND ${removals === 0 ? hasNoRemovals : hasTheseRemovals}`,
                ExpressionAttributeNames: { '#id': tokenId },
                ExpressionAttributeValues: {
                  ':at': voidedAt,
                  ':most': voidTokensAtMost,
                  ...(removals > 0 && { ':read': removals }),
                },
              });
        if (await conditionHeld(added)) return token;
        if (attempt === attempts) throw new Error('Other tokens of the contract became valid at each try');
      }
    },

    all: async function* () {
      const pages = scanPages(client, {
        TableName: tableName,
        ConsistentRead: true,
        FilterExpression: 'begins_with(pk, :void)',
        ExpressionAttributeValues: { ':void': 'VOID#' },
      });
      for await (const { Items = [] } of pages) yield* Items.flatMap((item) => tokensOf(item).tokens);
    },

    remove: async ({ contract, tokenId }) => {
      const voidedAt = (await read(contract))?.tokens[tokenId];
      if (voidedAt === undefined) return false;
      return conditionHeld(
        client.updateOnce({
          TableName: tableName,
          Key: voidKey(contract),
          UpdateExpression: 'REMOVE tokens.#id ADD removals :one',
          ConditionExpression: isVoidAsRead,
          ExpressionAttributeNames: { '#id': tokenId },
          ExpressionAttributeValues: { ':read': voidedAt, ':one': 1 },
        }),
      );
    },
  };
};
