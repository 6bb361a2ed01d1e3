/** The writes that record a transaction: each with its condition, and with what it means that this fails. */

import { endedKey } from '../../users/store/ended-registration-key.ts';
import type { ResourceReference } from '../ports/holds.ts';
import type { Recording } from '../ports/transaction-log.ts';
import { nobody } from '../reservations/stand-in.ts';
import type { ClaimedToken, Resource } from '../transactions/entry.ts';
import { referenceOfTokens } from '../transactions/references.ts';
import type { MeaningOfRefusal, RecordingWrite } from './cancellations.ts';
import { endLease } from './claim-leases.ts';
import { isNotGone, isUnused } from './conditions.ts';
import { completeHold } from './holds.ts';
import {
  claimNoteKey,
  contractItem,
  fenceKey,
  type NftTables,
  nftItem,
  nftKey,
  type Write,
} from './nft-items.ts';
import { isReservedAsRead } from './reservations.ts';
import { entryItem } from './transaction-items.ts';
import { updateWrites } from './update-writes.ts';

export const referenceOf = (recording: Recording): ResourceReference => {
  const { resource } = recording;
  if (resource === undefined) throw new Error('A recording that completes a key must have a resource');
  switch (resource.kind) {
    case 'contract':
      return { kind: 'contract', address: resource.contract.address };
    case 'contract-metadata':
    case 'royalty':
      return { kind: 'contract', address: resource.collection.contract };
    case 'metadata': {
      const to = String(Number(resource.from) + resource.metadata.length - 1);
      return { kind: 'nfts', address: resource.collection.contract, from: resource.from, to };
    }
    case 'claim':
    case 'burn': {
      const { collection, tokenId } = resource;
      return { kind: 'nfts', address: collection.contract, from: tokenId, to: tokenId };
    }
    case 'nfts':
      return referenceOfTokens(resource.nfts);
  }
};

export const putNew = (TableName: string, Item: Record<string, unknown>): Write => ({
  Put: { TableName, Item, ConditionExpression: isUnused },
});

const unexplained: MeaningOfRefusal = { outcome: 'unexplained' };

export const recordingWrites = (tables: NftTables) => {
  const updates = updateWrites(tables);

  const claimReserved = ({
    collection,
    tokenId,
    destination,
    registrationId,
    version,
    nonce,
    transactionHash,
  }: Extract<Resource, { readonly kind: 'claim' }>): Write => ({
    Update: {
      TableName: tables.nfts,
      Key: nftKey({ ...collection, tokenId }),
      UpdateExpression: `SET #status = :pending, destination = :destination, nonce = :nonce, transactionHash = :hash, version = :next${registrationId === undefined ? ', reservedFor = :nobody REMOVE holder,' : ' REMOVE'} failureReason`,
      ConditionExpression: `${isReservedAsRead} AND ${isNotGone}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':reserved': 'reserved',
        ':read': version,
        ':next': version + 1,
        ':failed': 'failed',
        ':pending': 'pending',
        ':destination': destination,
        ':nonce': nonce,
        ':hash': transactionHash,
        ...(registrationId === undefined && { ':nobody': nobody }),
      },
    },
  });

  /**
   * The note may exist already, because of an earlier claim of the token that has failed. A claim is recorded before its
   * user is removed or not at all, so whoever forgets a removed user finds the notes of all claims.
   */
  const noteClaim = ({
    collection,
    tokenId,
    reservedFor,
    registrationId,
  }: ClaimedToken): RecordingWrite[] => {
    if (registrationId === undefined) return [];
    if (tables.wallets === undefined) throw new Error('A claim of a user needs the wallets table');
    return [
      {
        write: {
          Put: { TableName: tables.nfts, Item: claimNoteKey({ ...collection, tokenId, reservedFor }) },
        },
        refusedMeans: unexplained,
      },
      {
        write: {
          ConditionCheck: {
            TableName: tables.wallets,
            Key: endedKey(registrationId),
            ConditionExpression: isUnused,
          },
        },
        refusedMeans: { outcome: 'registration-ended' },
      },
    ];
  };

  const putResource = ({ resource, entry, places }: Recording): RecordingWrite[] => {
    if (resource === undefined) return [];
    switch (resource.kind) {
      case 'contract':
        return [
          { write: putNew(tables.contracts, contractItem(resource.contract)), refusedMeans: unexplained },
        ];
      case 'nfts':
        return resource.nfts.map((nft) => ({
          write: putNew(tables.nfts, nftItem(nft)),
          // Ids are used twice only if their counter was lost.
          refusedMeans: places === undefined ? unexplained : { outcome: 'places-lost' },
        }));
      case 'claim': {
        const { collection, tokenId } = resource;
        return [
          {
            write: claimReserved(resource),
            refusedMeans: { outcome: 'token-changed', address: collection.contract, tokenId },
          },
          ...noteClaim(resource),
        ];
      }
      default:
        return updates.change(resource, entry);
    }
  };

  const requirePlaces = ({ places }: Recording): RecordingWrite[] =>
    places === undefined
      ? []
      : [
          {
            write: {
              ConditionCheck: {
                TableName: tables.nfts,
                Key: fenceKey(places),
                ConditionExpression: isUnused,
              },
            },
            refusedMeans: { outcome: 'places-lost' },
          },
        ];

  const endOfLease = ({ lease }: Recording): RecordingWrite[] =>
    lease === undefined
      ? []
      : [{ write: endLease(tables.requests, lease), refusedMeans: { outcome: 'lease-lost' } }];

  const endOfHold = (recording: Recording): RecordingWrite[] => {
    const { hold } = recording;
    if (hold === undefined) return [];
    const write = completeHold(tables.requests, { hold, result: referenceOf(recording) });
    return [{ write, refusedMeans: { outcome: 'key-taken', hold } }];
  };

  /** Writes the entry, the resource, the places, the end of the lease and the end of the hold. */
  return (recording: Recording): readonly RecordingWrite[] => [
    {
      write: putNew(tables.transactions, entryItem(recording.entry)),
      refusedMeans: { outcome: 'nonce-taken' },
    },
    ...putResource(recording),
    ...requirePlaces(recording),
    ...endOfLease(recording),
    ...endOfHold(recording),
  ];
};
