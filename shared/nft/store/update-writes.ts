/**
 * The writes that change a collection or minted tokens, each with its condition. An item has one attribute for each
 * part that can change (metadata, royalty, revocation). The attribute contains the last change of this part.
 */

import type { Contract } from '../collections/contract.ts';
import type { ChangeField } from '../collections/part-change.ts';
import type { Finalization } from '../ports/transaction-log.ts';
import { burnFieldOf } from '../tokens/gone.ts';
import type { CollectionKey, Nft } from '../tokens/nft.ts';
import { type Entry, lastAttempt, type Resource } from '../transactions/entry.ts';
import {
  type BurningKind,
  type ByKind,
  byKind,
  isUpdate,
  type Purpose,
  type PurposeOf,
  type UpdateKind,
} from '../transactions/purpose.ts';
import type { RecordingWrite } from './cancellations.ts';
import { exists, followingChange, isMintedBefore, isNoLaterChange, isNotGone } from './conditions.ts';
import {
  type FollowingWrite,
  type ItemKey,
  type ItemNames,
  nameOf,
  updateFollowing,
} from './following-writes.ts';
import { contractKey, metadataText, type NftTables, nftKey } from './nft-items.ts';

type Changed = Exclude<Resource, { readonly kind: 'contract' | 'nfts' | 'claim' }>;

/** Items that contain a record of one change, in this attribute. */
interface Changes {
  readonly attribute: ChangeField<Contract> | ChangeField<Nft>;
  readonly items: readonly ItemKey[];
}

export const updateWrites = (tables: NftTables) => {
  const contractOf = ({ applicationId, contract }: CollectionKey) => ({
    TableName: tables.contracts,
    Key: contractKey({ applicationId, address: contract }),
  });

  const tokenOf = (collection: CollectionKey, tokenId: number) => ({
    TableName: tables.nfts,
    Key: nftKey({ ...collection, tokenId: String(tokenId) }),
  });

  const tokensOf = (purpose: CollectionKey, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => tokenOf(purpose, from + index));

  const ofBurntToken = (purpose: PurposeOf<BurningKind>): Changes => ({
    attribute: burnFieldOf[purpose.kind],
    items: [tokenOf(purpose, Number(purpose.tokenId))],
  });

  /**
   * For each kind that changes something: the attribute with the record of the change, and the items that have it. What
   * records a change and what stores its outcome take the attribute from here.
   */
  const changed: ByKind<Changes, UpdateKind> = {
    'set-royalty': (purpose) => ({ attribute: 'royaltyChange', items: [contractOf(purpose)] }),
    'update-contract-metadata': (purpose) => ({ attribute: 'metadataChange', items: [contractOf(purpose)] }),
    'update-metadata': (purpose) => ({
      attribute: 'metadataChange',
      items: tokensOf(purpose, Number(purpose.from), Number(purpose.to)),
    }),
    revoke: ofBurntToken,
  };
  const changesOf = (purpose: Purpose): Changes | undefined =>
    isUpdate(purpose) ? byKind(changed, purpose) : undefined;

  /** Sets fields of the record of the change in every item that the entry changes. */
  const setInChange = (
    entry: Entry,
    fields: Readonly<Record<string, unknown>>,
    outdated: ItemNames | undefined,
  ): FollowingWrite[] => {
    const changes = changesOf(entry.purpose);
    if (changes === undefined) return [];
    const names = Object.keys(fields);
    return changes.items.map((item) =>
      updateFollowing(
        {
          item,
          following: followingChange,
          before: entry.nonce,
          names: { '#change': changes.attribute },
          update: {
            expression: `SET ${names.map((name) => `#change.#${name} = :${name}`).join(', ')}`,
            names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
            values: Object.fromEntries(names.map((name) => [`:${name}`, fields[name]])),
          },
        },
        outdated,
      ),
    );
  };

  return {
    changesOf,
    change: (resource: Changed, { purpose }: Entry): RecordingWrite[] => {
      const { collection, change } = resource;
      const changes = changesOf(purpose);
      if (changes === undefined) throw new Error(`A transaction of the kind ${purpose.kind} changes nothing`);
      const names = { '#change': changes.attribute };
      switch (resource.kind) {
        case 'metadata':
          return resource.metadata.map((metadata, index) => ({
            write: {
              Update: {
                ...tokenOf(collection, Number(resource.from) + index),
                UpdateExpression: 'SET metadata = :metadata, #change = :change',
                ConditionExpression: exists,
                ExpressionAttributeNames: names,
                ExpressionAttributeValues: { ':metadata': metadataText(metadata), ':change': change },
              },
            },
            refusedMeans: { outcome: 'unexplained' },
          }));
        case 'contract-metadata':
          return [
            {
              write: {
                Update: {
                  ...contractOf(collection),
                  UpdateExpression:
                    'SET description = :description, image = :image, media = :media, #change = :change',
                  ConditionExpression: exists,
                  ExpressionAttributeNames: names,
                  ExpressionAttributeValues: {
                    ':description': resource.metadata.description,
                    ':image': resource.metadata.image,
                    ':media': resource.metadata.media,
                    ':change': change,
                  },
                },
              },
              refusedMeans: { outcome: 'unexplained' },
            },
          ];
        case 'royalty':
          return [
            {
              write: {
                Update: {
                  ...contractOf(collection),
                  UpdateExpression: 'SET #change = :change',
                  ConditionExpression: `${exists} AND ${isNoLaterChange}`,
                  ExpressionAttributeNames: names,
                  ExpressionAttributeValues: { ':change': change, ':nonce': change.nonce },
                },
              },
              refusedMeans: { outcome: 'outdated' },
            },
          ];
        case 'burn':
          return [
            {
              write: {
                Update: {
                  ...tokenOf(collection, Number(resource.tokenId)),
                  UpdateExpression: 'SET #change = :change',
                  ConditionExpression: `${exists} AND ${isNotGone} AND ${isMintedBefore}`,
                  ExpressionAttributeNames: { ...names, '#status': 'status' },
                  ExpressionAttributeValues: {
                    ':change': change,
                    ':failed': 'failed',
                    ':nonce': change.nonce,
                    ':zero': 0,
                  },
                },
              },
              refusedMeans: { outcome: 'not-burnable', token: { ...collection, tokenId: resource.tokenId } },
            },
          ];
      }
    },

    finalize: ({ entry, verdict }: Finalization, outdated?: ItemNames): FollowingWrite[] =>
      setInChange(
        entry,
        {
          status: verdict.status,
          transactionHash: verdict.hash,
          ...(verdict.status === 'failed' ? { failureReason: verdict.reason } : {}),
        },
        outdated,
      ),

    handOver: (entry: Entry, successor: Entry, outdated?: ItemNames): FollowingWrite[] =>
      setInChange(entry, { nonce: successor.nonce, transactionHash: lastAttempt(successor).hash }, outdated),

    /** Whether newer changes have replaced all of the entry's changes, or all have their outcome. */
    isOutdated: (entry: Entry, outdated: ItemNames | undefined): boolean => {
      const changes = changesOf(entry.purpose);
      return changes?.items.every((item) => outdated?.has(nameOf(item)) === true) ?? false;
    },
  };
};
