import { createHash } from 'node:crypto';
import { cancellationReasons, type DocumentClient } from '../../platform/store/client.ts';
import type { Claim, ResourceReference } from '../ports/claims.ts';
import type { Reservation, Reservations } from '../ports/reservations.ts';
import { asksForPatience, busyReason, reasonsText, refusedClaim } from './cancellations.ts';
import { endClaim } from './claims.ts';
import { fenceKey, type NftTables, nftItem, type Write } from './nft-items.ts';
import { referenceOfTokens } from './references.ts';

const isUnused = 'attribute_not_exists(pk)';

/** Token ids are never used twice, so the first one names the request. */
const requestToken = ({ tokens: [first] }: Reservation): string =>
  createHash('sha256')
    .update(`reserve#${first?.application}#${first?.contract}#${first?.tokenId}`)
    .digest('base64url')
    .slice(0, 36);

export const dynamoDbReservations = ({
  client,
  tables,
}: {
  readonly client: DocumentClient;
  readonly tables: Pick<NftTables, 'nfts' | 'requests'>;
}): Reservations => {
  const endOfClaim = (claim: Claim | undefined, result: ResourceReference): Write[] =>
    claim === undefined ? [] : [endClaim(tables.requests, { claim, result })];

  return {
    record: async (reservation) => {
      const { tokens, claim, places } = reservation;
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
      try {
        await client.transactWriteOnce({
          ClientRequestToken: requestToken(reservation),
          TransactItems: [
            ...tokens.map((nft) => ({
              Put: { TableName: tables.nfts, Item: nftItem(nft), ConditionExpression: isUnused },
            })),
            ...fence,
            ...endOfClaim(claim, referenceOfTokens(tokens)),
          ],
        });
        return { outcome: 'recorded' };
      } catch (error) {
        if (asksForPatience(error)) return { outcome: 'busy', reason: error.name };
        const reasons = cancellationReasons(error);
        if (reasons === undefined) throw error;
        const lost = await refusedClaim({ client, tableName: tables.requests }, { claim, reasons });
        if (lost !== undefined) return lost;
        const busy = busyReason(reasons);
        if (busy !== undefined) return { outcome: 'busy', reason: busy };
        // Nobody else has these ids, so an earlier try of this write has stored them.
        if (reasons[0]?.Code === 'ConditionalCheckFailed') return { outcome: 'recorded' };
        if (reasons[tokens.length]?.Code === 'ConditionalCheckFailed') return { outcome: 'places-lost' };
        throw new Error(`Tokens cannot be reserved: ${reasonsText(reasons)}`, { cause: error });
      }
    },
  };
};
