import { createHash } from 'node:crypto';
import { cancellationReasons, type DocumentClient } from '../../platform/store/client.ts';
import type { Hold } from '../ports/holds.ts';
import type { Reservation, Reservations, ReservedChange } from '../ports/reservations.ts';
import { revokedReason } from '../tokens/gone.ts';
import { referenceOfTokens } from '../transactions/references.ts';
import { asksForPatience, busyReason, isRefused, reasonsText, takenKey } from './cancellations.ts';
import { putLine } from './history-lines.ts';
import { completeHold } from './holds.ts';
import {
  counterKey,
  fenceKey,
  metadataText,
  type NftTables,
  nftItem,
  nftKey,
  type Write,
} from './nft-items.ts';

const isUnused = 'attribute_not_exists(pk)';
/**
 * The condition of a reserved token that nobody has changed since it was read. Each change and each claim raises the
 * version, so it holds only once, also if the token has become reserved again.
 */
export const isReservedAsRead = '#status = :reserved AND version = :read';

/** Only if the counter of ids was lost, two requests get the same ids. */
const requestToken = ({ tokens: [first] }: Reservation): string =>
  createHash('sha256')
    .update(`reserve#${first?.applicationId}#${first?.contract}#${first?.tokenId}#${first?.createdAt}`)
    .digest('base64url')
    .slice(0, 36);

interface ReservationTables {
  readonly client: DocumentClient;
  readonly tables: Pick<NftTables, 'nfts' | 'requests'>;
}

/** Writes all or nothing. `refused` has the positions of the writes whose condition did not hold. */
const writing =
  ({ client, tables }: ReservationTables) =>
  async (
    writes: readonly Write[],
    {
      ClientRequestToken,
      hold,
      tokens,
    }: {
      /** With the same token, the write can be repeated even if its conditions are no longer met. */
      readonly ClientRequestToken: string;
      readonly hold: Hold | undefined;
      readonly tokens: Reservation['tokens'];
    },
  ) => {
    const result = referenceOfTokens(tokens);
    const end = hold === undefined ? [] : [completeHold(tables.requests, { hold, result })];
    try {
      await client.transactWriteOnce({ ClientRequestToken, TransactItems: [...writes, ...end] });
      return { outcome: 'recorded' } as const;
    } catch (error) {
      if (asksForPatience(error)) return { outcome: 'busy', reason: error.name } as const;
      const reasons = cancellationReasons(error);
      if (reasons === undefined) throw error;
      // The last write ends the hold.
      if (hold !== undefined && isRefused(reasons.at(-1)))
        return takenKey({ client, tableName: tables.requests }, hold);
      const busy = busyReason(reasons);
      if (busy !== undefined) return { outcome: 'busy', reason: busy } as const;
      const refused = reasons.flatMap((reason, index) => (isRefused(reason) ? [index] : []));
      if (refused.length > 0) return { outcome: 'refused', refused } as const;
      throw new Error(`Reserved tokens cannot be written: ${reasonsText(reasons)}`, { cause: error });
    }
  };

export const dynamoDbReservations = ({ client, tables }: ReservationTables): Pick<Reservations, 'record'> => {
  const write = writing({ client, tables });
  return {
    record: async (reservation) => {
      const { tokens, hold, places } = reservation;
      const fence: Write[] =
        places === undefined
          ? []
          : [
              {
                ConditionCheck: {
                  TableName: tables.nfts,
                  Key: fenceKey(places),
                  ConditionExpression: isUnused,
                },
              },
            ];
      const puts = tokens.map((nft) => ({
        Put: { TableName: tables.nfts, Item: nftItem(nft), ConditionExpression: isUnused },
      }));
      const result = await write([...puts, ...fence], {
        ClientRequestToken: requestToken(reservation),
        hold,
        tokens,
      });
      if (result.outcome !== 'refused') return result;
      const [first] = tokens;
      if (first === undefined || !result.refused.includes(0)) return { outcome: 'places-lost' };
      // An earlier try of this write may have stored the tokens. If the counter of ids was lost, they are others.
      const { Item } = await client.get({
        TableName: tables.nfts,
        Key: nftKey(first),
        ConsistentRead: true,
      });
      return { outcome: Item?.createdAt === first.createdAt ? 'recorded' : 'ids-used' };
    },
  };
};

export const dynamoDbReservedChanges = ({
  client,
  tables,
}: {
  readonly client: DocumentClient;
  readonly tables: ReservationTables['tables'] & { readonly history: string };
}): Pick<Reservations, 'change'> => {
  const write = writing({ client, tables });

  const writesOf = (change: ReservedChange): Write[] => {
    const set = (
      index: number,
      {
        expression,
        values,
        condition,
      }: {
        readonly expression: string;
        readonly values: Record<string, unknown>;
        readonly condition?: string;
      },
    ): Write => {
      const token = change.tokens[index];
      if (token === undefined) throw new Error('A change must have a token');
      return {
        Update: {
          TableName: tables.nfts,
          Key: nftKey(token),
          UpdateExpression: expression,
          ConditionExpression: [isReservedAsRead, ...(condition === undefined ? [] : [condition])].join(
            ' AND ',
          ),
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':reserved': 'reserved',
            ':read': token.version,
            ':next': (token.version ?? 0) + 1,
            ...values,
          },
        },
      };
    };
    switch (change.kind) {
      case 'assignment':
        return [
          set(0, {
            expression:
              'SET destination = :standIn, reservedFor = :standIn, holder = :holder, version = :next REMOVE failureReason',
            // The line of the gift names the giver, whom an erasure may have removed from the token since it was read.
            condition: 'reservedFor = :from',
            values: {
              ':standIn': change.to.standIn,
              ':holder': change.to.holder,
              ':from': change.tokens[0].reservedFor,
            },
          }),
        ];
      case 'metadata':
        return change.metadata.map((metadata, index) =>
          set(index, {
            expression: 'SET metadata = :metadata, version = :next',
            values: { ':metadata': metadataText(metadata) },
          }),
        );
      case 'revocation': {
        const [token] = change.tokens;
        const freed: Write = {
          Update: {
            TableName: tables.nfts,
            Key: counterKey(token),
            UpdateExpression: 'SET taken = taken - :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        };
        return [
          set(0, {
            expression: 'SET #status = :failed, failureReason = :reason, version = :next REMOVE holder',
            values: { ':failed': 'failed', ':reason': revokedReason },
          }),
          ...(change.isPlaced ? [freed] : []),
        ];
      }
    }
  };

  return {
    change: async ({ change, line, hold, requestToken: ClientRequestToken }) => {
      const { tokens } = change;
      const result = await write([...writesOf(change), putLine(tables.history, line)], {
        ClientRequestToken,
        hold,
        tokens,
      });
      return result.outcome === 'refused' ? { outcome: 'outdated' } : result;
    },
  };
};
