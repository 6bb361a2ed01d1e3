/**
 * The writes that change a collection or minted tokens, each with its condition. An item has one attribute for each
 * part that can change (metadata, royalty, revocation). The attribute contains the last change of this part.
 */

import type { Contract } from '../collections/contract.ts';
import type { ChangeField } from '../collections/part-change.ts';
import type { Finalization } from '../ports/transaction-log.ts';
import { burnFieldOf, burnFields } from '../tokens/gone.ts';
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
import { contractKey, metadataText, type NftTables, nftKey, type Write } from './nft-items.ts';

const exists = 'attribute_exists(pk)';
/** Fails if a change with a higher nonce is stored. That change was recorded earlier, but comes later on the chain. Needs the name `#change`. */
const isNoLaterChange = 'attribute_not_exists(#change) OR #change.nonce < :nonce';
/**
 * The condition of a token that is not gone (see `isGone`). Needs the name `#status` and the value `:failed`. A second burn
 * of a token would revert, and its failure would hide the success of the first one.
 */
export const isNotGone = burnFields
  .map((field) => `attribute_not_exists(${field}) OR ${field}.#status = :failed`)
  .join(') AND (');
/**
 * A mint that was superseded has a later nonce. A burn with an earlier nonce would come before it on the chain. A
 * reserved token has a negative nonce.
 */
const isMintedBefore = 'nonce >= :zero AND nonce < :nonce';
const isPendingChangeOfNonce = '#change.#status = :pending AND #change.nonce = :before';
/** A newer change has replaced it, or it has its outcome already: a waiter had failed it because its entry was lost. */
const isNoPendingChangeOfNonce = `NOT (${isPendingChangeOfNonce})`;

type Changed = Exclude<Resource, { readonly kind: 'contract' | 'nfts' | 'claim' }>;

/** Items that contain a record of one change, in this attribute. */
interface Changes {
  readonly attribute: ChangeField<Contract> | ChangeField<Nft>;
  readonly items: readonly Required<Pick<NonNullable<Write['Update']>, 'TableName' | 'Key'>>[];
}

export type ItemNames = ReadonlySet<string>;

export const nameOf = ({ TableName, Key }: Pick<NonNullable<Write['Update']>, 'TableName' | 'Key'>): string =>
  [TableName, Key?.pk, Key?.sk].join(' ');

export const itemOf = ({ Update, ConditionCheck }: Write): string => {
  const place = Update ?? ConditionCheck;
  if (place === undefined) throw new Error('Only an Update or a ConditionCheck names an item');
  return nameOf(place);
};

/** The condition of a contract or token whose status follows the entry's. */
export const isPendingOfNonce = '#status = :pending AND nonce = :before';
export const isPresentOfNonce = `${isPendingOfNonce} AND (${isNotGone})`;
const outdating: ReadonlySet<string | undefined> = new Set([
  isPendingChangeOfNonce,
  isPendingOfNonce,
  isPresentOfNonce,
]);

/** Whether this write is refused if a newer change has replaced the entry's change, or its table has lost the item. */
export const mayBeOutdated = ({ Update }: Write): boolean => outdating.has(Update?.ConditionExpression);

/**
 * For an item that its table has lost: checks that it does not exist, belongs to a later mint that took its id, or has
 * the entry's outcome already.
 */
export const ifNotLost = (write: Required<Pick<Write, 'Update'>>, outdated: ItemNames | undefined): Write => {
  const { TableName, Key, ExpressionAttributeValues } = write.Update;
  return outdated?.has(nameOf({ TableName, Key })) === true
    ? {
        ConditionCheck: {
          TableName,
          Key,
          ConditionExpression: 'attribute_not_exists(pk) OR nonce <> :before OR #status <> :pending',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':before': ExpressionAttributeValues?.[':before'],
            ':pending': 'pending',
          },
        },
      }
    : write;
};

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

  /**
   * Every item that an entry changes contains a record of the change. The returned writes set fields of this record. If
   * an item contains the record of a newer change instead, or the change has its outcome there, the write of this item
   * sets nothing, and only checks that this is still the case.
   */
  const setInChange = (
    entry: Entry,
    fields: Readonly<Record<string, unknown>>,
    outdated: ItemNames | undefined,
  ): Write[] => {
    const changes = changesOf(entry.purpose);
    if (changes === undefined) return [];
    const { attribute, items } = changes;
    const names = Object.keys(fields);
    const values = Object.fromEntries(names.map((name) => [`:${name}`, fields[name]]));
    return items.map((item) =>
      outdated?.has(nameOf(item)) === true
        ? {
            ConditionCheck: {
              ...item,
              ConditionExpression: isNoPendingChangeOfNonce,
              ExpressionAttributeNames: { '#change': attribute, '#status': 'status' },
              ExpressionAttributeValues: { ':pending': 'pending', ':before': entry.nonce },
            },
          }
        : {
            Update: {
              ...item,
              UpdateExpression: `SET ${names.map((name) => `#change.#${name} = :${name}`).join(', ')}`,
              ConditionExpression: isPendingChangeOfNonce,
              ExpressionAttributeNames: {
                '#change': attribute,
                '#status': 'status',
                ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
              },
              ExpressionAttributeValues: { ':pending': 'pending', ':before': entry.nonce, ...values },
            },
          },
    );
  };

  return {
    changesOf,
    change: (resource: Changed, { purpose }: Entry): Write[] => {
      const { collection, change } = resource;
      const changes = changesOf(purpose);
      if (changes === undefined) throw new Error(`A transaction of the kind ${purpose.kind} changes nothing`);
      const names = { '#change': changes.attribute };
      switch (resource.kind) {
        case 'metadata':
          return resource.metadata.map((metadata, index) => ({
            Update: {
              ...tokenOf(collection, Number(resource.from) + index),
              UpdateExpression: 'SET metadata = :metadata, #change = :change',
              ConditionExpression: exists,
              ExpressionAttributeNames: names,
              ExpressionAttributeValues: { ':metadata': metadataText(metadata), ':change': change },
            },
          }));
        case 'contract-metadata':
          return [
            {
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
          ];
        case 'royalty':
          return [
            {
              Update: {
                ...contractOf(collection),
                UpdateExpression: 'SET #change = :change',
                ConditionExpression: `${exists} AND (${isNoLaterChange})`,
                ExpressionAttributeNames: names,
                ExpressionAttributeValues: { ':change': change, ':nonce': change.nonce },
              },
            },
          ];
        case 'burn':
          return [
            {
              Update: {
                ...tokenOf(collection, Number(resource.tokenId)),
                UpdateExpression: 'SET #change = :change',
                ConditionExpression: `${exists} AND (${isNotGone}) AND ${isMintedBefore}`,
                ExpressionAttributeNames: { ...names, '#status': 'status' },
                ExpressionAttributeValues: {
                  ':change': change,
                  ':failed': 'failed',
                  ':nonce': change.nonce,
                  ':zero': 0,
                },
              },
            },
          ];
      }
    },

    finalize: ({ entry, verdict }: Finalization, outdated?: ItemNames): Write[] =>
      setInChange(
        entry,
        {
          status: verdict.status,
          transactionHash: verdict.hash,
          ...(verdict.status === 'failed' ? { failureReason: verdict.reason } : {}),
        },
        outdated,
      ),

    handOver: (entry: Entry, successor: Entry, outdated?: ItemNames): Write[] =>
      setInChange(entry, { nonce: successor.nonce, transactionHash: lastAttempt(successor).hash }, outdated),

    /** Whether newer changes have replaced all of the entry's changes, or all have their outcome. */
    isOutdated: (entry: Entry, outdated: ItemNames | undefined): boolean => {
      const changes = changesOf(entry.purpose);
      return changes?.items.every((item) => outdated?.has(nameOf(item)) === true) ?? false;
    },
  };
};
