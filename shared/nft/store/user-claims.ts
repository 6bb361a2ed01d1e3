import { inParallel } from '../../platform/in-parallel.ts';
import { conditionHeld, queryPages, type Table } from '../../platform/store/client.ts';
import type { UserClaims } from '../ports/user-claims.ts';
import { nobody } from '../reservations/stand-in.ts';
import { forgetInLines } from './history-lines.ts';
import { claimNotesPartition, nftKey, tokenOfPlace } from './nft-items.ts';

const isClaimedByUser = 'reservedFor = :user AND destination <> :user';
/** Its claim has failed. It may have been revoked since. */
const isReservedForUser = 'reservedFor = :user AND destination = :user';

export const dynamoDbUserClaims = ({
  client,
  tableName,
  historyTableName,
}: Table & { readonly historyTableName: string }): UserClaims => ({
  forget: async ({ applicationId, reservedFor: user }) => {
    const pages = queryPages(client, {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': claimNotesPartition({ applicationId, reservedFor: user }) },
    });
    /**
     * No gift adds a line with the user after the token has forgotten the user. The note goes last, so that it is found
     * again if this dies before.
     */
    const forgetOne = async ({ pk, sk }: Record<string, unknown>): Promise<void> => {
      const { contract, tokenId } = tokenOfPlace(sk);
      const token = {
        TableName: tableName,
        Key: nftKey({ applicationId, contract, tokenId }),
        ExpressionAttributeValues: { ':user': user, ':nobody': nobody },
      };
      await conditionHeld(
        client.update({
          ...token,
          UpdateExpression: 'SET reservedFor = :nobody REMOVE holder',
          ConditionExpression: isClaimedByUser,
        }),
      );
      await conditionHeld(
        client.update({
          ...token,
          UpdateExpression: 'SET reservedFor = :nobody, destination = :nobody REMOVE holder',
          ConditionExpression: isReservedForUser,
        }),
      );
      await forgetInLines({ client, tableName: historyTableName }, { contract, tokenId, user });
      await client.delete({ TableName: tableName, Key: { pk, sk } });
    };
    for await (const { Items = [] } of pages) await inParallel(Items, { atOnce: 10, run: forgetOne });
  },
});
