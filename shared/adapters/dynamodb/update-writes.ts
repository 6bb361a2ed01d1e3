/**
 * The writes of what changes a collection or its tokens after the mint, each with the condition that keeps it right.
 */
import type { CollectionKey } from '../../nft/collection/nft.ts';
import { type Entry, lastAttempt, type Resource } from '../../nft/entry.ts';
import type { Finalization } from '../../nft/ports/transaction-log.ts';
import { contractKey, metadataText, type NftTables, nftKey, type Write } from './nft-items.ts';

const exists = 'attribute_exists(pk)';
/** A change that was recorded earlier but comes later on the chain is not overwritten. */
const isNoLaterChange = 'attribute_not_exists(royaltyChange) OR royaltyChange.nonce < :nonce';
const isPendingChangeOfNonce = 'royaltyChange.#status = :pending AND royaltyChange.nonce = :before';
const isAnotherChange = 'royaltyChange.nonce <> :before';

type Changed = Exclude<Resource, { readonly kind: 'contract' | 'nfts' }>;

export const updateWrites = (tables: NftTables) => {
  const contractOf = ({ application, contract }: CollectionKey) => ({
    TableName: tables.contracts,
    Key: contractKey({ application, address: contract }),
  });

  const change = (resource: Changed): Write[] => {
    const { collection } = resource;
    switch (resource.kind) {
      case 'metadata':
        return resource.metadata.map((metadata, index) => ({
          Update: {
            TableName: tables.nfts,
            Key: nftKey({ ...collection, tokenId: String(Number(resource.from) + index) }),
            UpdateExpression: 'SET metadata = :metadata',
            ConditionExpression: exists,
            ExpressionAttributeValues: { ':metadata': metadataText(metadata) },
          },
        }));
      case 'contract-metadata':
        return [
          {
            Update: {
              ...contractOf(collection),
              UpdateExpression: 'SET description = :description, image = :image, media = :media',
              ConditionExpression: exists,
              ExpressionAttributeValues: {
                ':description': resource.metadata.description,
                ':image': resource.metadata.image,
                ':media': resource.metadata.media,
              },
            },
          },
        ];
      case 'royalty':
        return [
          {
            Update: {
              ...contractOf(collection),
              UpdateExpression: 'SET royaltyChange = :change',
              ConditionExpression: `${exists} AND (${isNoLaterChange})`,
              ExpressionAttributeValues: { ':change': resource.change, ':nonce': resource.change.nonce },
            },
          },
        ];
    }
  };

  return {
    change,

    finalizeRoyalty: ({ entry, verdict }: Finalization): Write[] => {
      if (entry.purpose.kind !== 'set-royalty') return [];
      const failure = verdict.status === 'failed' ? { ':reason': verdict.reason } : undefined;
      return [
        {
          Update: {
            ...contractOf(entry.purpose),
            UpdateExpression: `SET royaltyChange.#status = :status, royaltyChange.transactionHash = :hash${failure === undefined ? '' : ', royaltyChange.failureReason = :reason'}`,
            ConditionExpression: isPendingChangeOfNonce,
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':pending': 'pending',
              ':before': entry.nonce,
              ':status': verdict.status,
              ':hash': verdict.hash,
              ...failure,
            },
          },
        },
      ];
    },

    handOverRoyalty: (entry: Entry, successor: Entry): Write[] =>
      entry.purpose.kind !== 'set-royalty'
        ? []
        : [
            {
              Update: {
                ...contractOf(entry.purpose),
                UpdateExpression: 'SET royaltyChange.nonce = :after, royaltyChange.transactionHash = :hash',
                ConditionExpression: isPendingChangeOfNonce,
                ExpressionAttributeNames: { '#status': 'status' },
                ExpressionAttributeValues: {
                  ':pending': 'pending',
                  ':before': entry.nonce,
                  ':after': successor.nonce,
                  ':hash': lastAttempt(successor).hash,
                },
              },
            },
          ],

    /** Holds when the royalty was changed again since: then the entry has nothing to update. */
    isOutdatedRoyalty: (entry: Entry): Write[] =>
      entry.purpose.kind !== 'set-royalty'
        ? []
        : [
            {
              ConditionCheck: {
                ...contractOf(entry.purpose),
                ConditionExpression: isAnotherChange,
                ExpressionAttributeValues: { ':before': entry.nonce },
              },
            },
          ],
  };
};
