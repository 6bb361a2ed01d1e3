import { addressSchema } from '../../chain/hex.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import { conditionHeld, queryPages, type Table } from '../../platform/store/client.ts';
import type { UserClaims } from '../ports/user-claims.ts';
import { nobody } from '../reservations/stand-in.ts';
import { claimNotesPartition, nftKey } from './nft-items.ts';

/** A token whose claim has failed is reserved for the user again, and one that was revoked was never minted. */
const isClaimedByUser = 'reservedFor = :user AND destination <> :user';

export const dynamoDbUserClaims = ({ client, tableName }: Table): UserClaims => ({
  forget: async ({ applicationId, reservedFor }) => {
    const pages = queryPages(client, {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': claimNotesPartition({ applicationId, reservedFor }) },
    });
    /** The note goes last, so that it is found again if this dies before. */
    const forgetOne = async ({ pk, sk }: Record<string, unknown>): Promise<void> => {
      const [tokenId, contract] = String(sk).split('#');
      await conditionHeld(
        client.update({
          TableName: tableName,
          Key: nftKey({
            applicationId,
            contract: addressSchema.parse(contract),
            tokenId: String(Number(tokenId)),
          }),
          UpdateExpression: 'SET reservedFor = :nobody REMOVE holder',
          ConditionExpression: isClaimedByUser,
          ExpressionAttributeValues: { ':user': reservedFor, ':nobody': nobody },
        }),
      );
      await client.delete({ TableName: tableName, Key: { pk, sk } });
    };
    for await (const { Items = [] } of pages) await inParallel(Items, { atOnce: 10, run: forgetOne });
  },
});
