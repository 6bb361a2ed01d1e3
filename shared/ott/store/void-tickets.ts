import * as z from 'zod';
import type { Address } from '../../chain/hex.ts';
import type { Line } from '../../nft/history/line.ts';
import { busyReason, reasonsText } from '../../nft/store/cancellations.ts';
import { putLine } from '../../nft/store/history-lines.ts';
import type { Write } from '../../nft/store/nft-items.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import {
  cancellationReasons,
  type DocumentClient,
  scanPages,
  type Table,
} from '../../platform/store/client.ts';
import { VoidsBusyError } from '../errors.ts';
import type { VoidChanges, VoidTickets, VoidToken } from '../ports/void-tickets.ts';
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

/**
 * How often a write is tried because others change void tokens of the same contract at the same time: with the pauses,
 * for about five seconds.
 */
const attempts = 20;

const tokensOf = (item: unknown): { readonly contract: Address; readonly tokens: readonly VoidToken[] } => {
  const { pk, tokens } = itemSchema.parse(item);
  const contract = pk.slice('VOID#'.length) as Address;
  return {
    contract,
    tokens: Object.entries(tokens).map(([tokenId, voidedAt]) => ({ contract, tokenId, voidedAt })),
  };
};

const reading =
  ({ client, tableName }: Table) =>
  async (contract: Address) => {
    const { Item } = await client.get({ TableName: tableName, Key: voidKey(contract), ConsistentRead: true });
    return Item === undefined ? undefined : itemSchema.parse(Item);
  };

export const dynamoDbVoidTickets = ({ client, tableName }: Table): VoidTickets => ({
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

  all: async function* () {
    const pages = scanPages(client, {
      TableName: tableName,
      ConsistentRead: true,
      FilterExpression: 'begins_with(pk, :void)',
      ExpressionAttributeValues: { ':void': 'VOID#' },
    });
    for await (const { Items = [] } of pages) yield* Items.flatMap((item) => tokensOf(item).tokens);
  },
});

/**
 * `add` and `remove` undo each other. So each stands on what it has read, and neither runs again after the other: the
 * condition of its write does not hold any more.
 */
export const dynamoDbVoidChanges = ({
  client,
  tables: { events: tableName, history },
}: {
  readonly client: DocumentClient;
  readonly tables: { readonly events: string; readonly history: string };
}): VoidChanges => {
  const read = reading({ client, tableName });

  /** Writes both or neither. */
  const write = async (
    change: Omit<NonNullable<Write['Update']>, 'TableName'>,
    line: Line,
  ): Promise<'written' | 'refused' | 'busy'> => {
    try {
      await client.transactWrite({
        TransactItems: [{ Update: { TableName: tableName, ...change } }, putLine(history, line)],
      });
      return 'written';
    } catch (error) {
      const reasons = cancellationReasons(error);
      if (reasons === undefined) throw error;
      if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) return 'refused';
      if (busyReason(reasons) !== undefined) return 'busy';
      throw new Error(`A void token cannot be written: ${reasonsText(reasons)}`, { cause: error });
    }
  };

  const lineOf = ({
    contract,
    tokenId,
    ...line
  }: Pick<VoidToken, 'contract' | 'tokenId'> & Pick<Line, 'at' | 'what' | 'count' | 'by'>): Line => ({
    contract,
    tokens: { from: tokenId, to: tokenId },
    ...line,
  });

  return {
    add: async ({ by, ...token }) => {
      const { contract, tokenId, voidedAt } = token;
      for (let attempt = 1; ; attempt += 1) {
        const before = await read(contract);
        const known = before?.tokens[tokenId];
        if (known !== undefined) return { ...token, voidedAt: known };
        if (Object.keys(before?.tokens ?? {}).length >= voidTokensAtMost) return undefined;
        const removals = before?.removals ?? 0;
        const line = lineOf({ contract, tokenId, at: voidedAt, what: 'voided', count: removals, by });
        const outcome = await write(
          before === undefined
            ? {
                Key: voidKey(contract),
                UpdateExpression: 'SET tokens = :tokens',
                ConditionExpression: hasNoTokens,
                ExpressionAttributeValues: { ':tokens': { [tokenId]: voidedAt } },
              }
            : {
                Key: voidKey(contract),
                UpdateExpression: 'SET tokens.#id = :at',
                ConditionExpression: `${isNotVoid} AND ${removals === 0 ? hasNoRemovals : hasTheseRemovals}`,
                ExpressionAttributeNames: { '#id': tokenId },
                ExpressionAttributeValues: {
                  ':at': voidedAt,
                  ':most': voidTokensAtMost,
                  ...(removals > 0 && { ':read': removals }),
                },
              },
          line,
        );
        if (outcome === 'written') return token;
        if (attempt === attempts) throw new VoidsBusyError();
        if (outcome === 'busy') await client.pause(attempt);
      }
    },

    remove: async ({ contract, tokenId, at, by }) => {
      for (let attempt = 1; ; attempt += 1) {
        const before = await read(contract);
        const voidedAt = before?.tokens[tokenId];
        if (before === undefined || voidedAt === undefined) return false;
        // A void of the same token that follows has at least this count, so both have lines of their own.
        const count = before.removals + 1;
        const outcome = await write(
          {
            Key: voidKey(contract),
            UpdateExpression: 'REMOVE tokens.#id ADD removals :one',
            ConditionExpression: isVoidAsRead,
            ExpressionAttributeNames: { '#id': tokenId },
            ExpressionAttributeValues: { ':read': voidedAt, ':one': 1 },
          },
          lineOf({ contract, tokenId, at, what: 'unvoided', count, by }),
        );
        if (outcome !== 'busy') return outcome === 'written';
        if (attempt === attempts) throw new VoidsBusyError();
        await client.pause(attempt);
      }
    },
  };
};
