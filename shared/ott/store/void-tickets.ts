import * as z from 'zod';
import type { Address } from '../../nft/hex.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import { conditionHeld, scanPages, type Table } from '../../platform/store/client.ts';
import { type VoidTickets, type VoidToken, voidTokensAtMost } from '../ports/void-tickets.ts';

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
});

const tokensOf = (item: unknown): { readonly contract: Address; readonly tokens: readonly VoidToken[] } => {
  const { pk, tokens } = itemSchema.parse(item);
  const contract = pk.slice('VOID#'.length) as Address;
  return {
    contract,
    tokens: Object.entries(tokens).map(([tokenId, voidedAt]) => ({ contract, tokenId, voidedAt })),
  };
};

export const dynamoDbVoidTickets = ({ client, tableName }: Table): VoidTickets => {
  const find = async ({ contract, tokenId }: Pick<VoidToken, 'contract' | 'tokenId'>) => {
    const found = await client.get({ TableName: tableName, Key: voidKey(contract), ConsistentRead: true });
    return found.Item && tokensOf(found.Item).tokens.find((token) => token.tokenId === tokenId);
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

    // `add` and `remove` undo each other, so neither may run again after the other has run.
    add: async (token) => {
      const { contract, tokenId, voidedAt } = token;
      const write = { TableName: tableName, Key: voidKey(contract) };
      const isFirst = await conditionHeld(
        client.updateOnce({
          ...write,
          UpdateExpression: 'SET tokens = :tokens',
          ConditionExpression: 'attribute_not_exists(tokens)',
          ExpressionAttributeValues: { ':tokens': { [tokenId]: voidedAt } },
        }),
      );
      if (isFirst) return token;
      const isAdded = await conditionHeld(
        client.updateOnce({
          ...write,
          UpdateExpression: 'SET tokens.#id = :at',
          ConditionExpression: 'attribute_not_exists(tokens.#id) AND size(tokens) < :most',
          ExpressionAttributeNames: { '#id': tokenId },
          ExpressionAttributeValues: { ':at': voidedAt, ':most': voidTokensAtMost },
        }),
      );
      return isAdded ? token : find(token);
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

    remove: ({ contract, tokenId }) =>
      conditionHeld(
        client.updateOnce({
          TableName: tableName,
          Key: voidKey(contract),
          UpdateExpression: 'REMOVE tokens.#id',
          ConditionExpression: 'attribute_exists(tokens.#id)',
          ExpressionAttributeNames: { '#id': tokenId },
        }),
      ),
  };
};
