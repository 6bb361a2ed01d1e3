/** The writes that change the transaction log, each with its condition. They are executed in DynamoDB transactions. */

import { endedKey } from '../../users/store/ended-registration-key.ts';
import type { ResourceReference } from '../ports/holds.ts';
import type { Finalization, Recording } from '../ports/transaction-log.ts';
import { nobody, unminted } from '../reservations/stand-in.ts';
import {
  type ClaimedToken,
  type Entry,
  lastAttempt,
  mintedTokens,
  type Resource,
} from '../transactions/entry.ts';
import {
  type ByKind,
  byKind,
  type MintingKind,
  type Purpose,
  type PurposeOf,
} from '../transactions/purpose.ts';
import { referenceOfTokens } from '../transactions/references.ts';
import type { TransitionName } from '../transactions/transitions.ts';
import { endLease } from './claim-leases.ts';
import { entryChange } from './entry-changes.ts';
import { completeHold } from './holds.ts';
import {
  claimNoteKey,
  contractItem,
  contractKey,
  entryKey,
  fenceKey,
  type NftTables,
  nftItem,
  nftKey,
  type Write,
} from './nft-items.ts';
import { isReservedAsRead } from './reservations.ts';
import { entryItem } from './transaction-items.ts';
import {
  type ItemNames,
  ifNotLost,
  isNotGone,
  isPendingOfNonce,
  isPresentOfNonce,
  nameOf,
  updateWrites,
} from './update-writes.ts';

const isUnused = 'attribute_not_exists(pk)';

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

type UpdateWrite = Required<Pick<Write, 'Update'>>;
type ItemKey = Required<Pick<NonNullable<Write['Update']>, 'TableName' | 'Key'>>;

const createsNothing = (): readonly ItemKey[] => [];

const changeOf = ({ verdict }: Finalization): TransitionName =>
  verdict.status === 'confirmed' ? 'confirm' : 'fail';

export const transactionWrites = (tables: NftTables) => {
  const updates = updateWrites(tables);

  const tokenKeys = (purpose: PurposeOf<MintingKind>): readonly ItemKey[] =>
    mintedTokens(purpose).map(({ tokenId }) => ({
      TableName: tables.nfts,
      Key: nftKey({ applicationId: purpose.applicationId, contract: purpose.contract, tokenId }),
    }));

  /** The keys of the items whose status follows the entry's: of a contract, or of tokens. */
  const created: ByKind<readonly ItemKey[]> = {
    deploy: ({ applicationId, contract }) => [
      { TableName: tables.contracts, Key: contractKey({ applicationId, address: contract }) },
    ],
    mint: tokenKeys,
    claim: tokenKeys,
    'update-metadata': createsNothing,
    'update-contract-metadata': createsNothing,
    'set-royalty': createsNothing,
    revoke: createsNothing,
    'set-base': createsNothing,
    noop: createsNothing,
  };
  const resourceKeys = (purpose: Purpose) => byKind(created, purpose);

  const putNew = (TableName: string, Item: Record<string, unknown>): Write => ({
    Put: { TableName, Item, ConditionExpression: isUnused },
  });

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
      ConditionExpression: `${isReservedAsRead} AND (${isNotGone})`,
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
  const noteClaim = ({ collection, tokenId, reservedFor, registrationId }: ClaimedToken): Write[] => {
    if (registrationId === undefined) return [];
    if (tables.wallets === undefined) throw new Error('A claim of a user needs the wallets table');
    return [
      { Put: { TableName: tables.nfts, Item: claimNoteKey({ ...collection, tokenId, reservedFor }) } },
      {
        ConditionCheck: {
          TableName: tables.wallets,
          Key: endedKey(registrationId),
          ConditionExpression: isUnused,
        },
      },
    ];
  };

  const putResource = ({ resource, entry }: Recording): Write[] => {
    if (resource === undefined) return [];
    if (resource.kind === 'contract') return [putNew(tables.contracts, contractItem(resource.contract))];
    if (resource.kind === 'nfts') return resource.nfts.map((nft) => putNew(tables.nfts, nftItem(nft)));
    if (resource.kind === 'claim') return [claimReserved(resource), ...noteClaim(resource)];
    return updates.change(resource, entry);
  };

  const requirePlaces = ({ places }: Recording): Write[] =>
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

  const endOfLease = ({ lease }: Recording): Write[] =>
    lease === undefined ? [] : [endLease(tables.requests, lease)];

  const endOfHold = (recording: Recording): Write[] =>
    recording.hold === undefined
      ? []
      : [completeHold(tables.requests, { hold: recording.hold, result: referenceOf(recording) })];

  const changeEntry = (...change: Parameters<typeof entryChange>): Write => ({
    Update: { TableName: tables.transactions, Key: entryKey(change[1]), ...entryChange(...change) },
  });

  /**
   * Writes everything that customers are told about the outcome, so that one record of the table's stream contains it.
   */
  const finalizeEntry = (finalization: Finalization): Write => {
    const { entry, verdict, at } = finalization;
    const failure = verdict.status === 'failed' ? { ':failureReason': verdict.reason } : undefined;
    return changeEntry(changeOf(finalization), entry, {
      set: [
        'minedHash = :minedHash',
        'decidedAt = :decidedAt',
        ...(failure === undefined ? [] : ['failureReason = :failureReason']),
      ],
      values: { ':minedHash': verdict.hash, ':decidedAt': at, ...failure },
    });
  };

  /** A token whose claim has failed is reserved as before. Then it shows the reason, and not the claim's wallet. */
  const finalizeClaim = ({ entry, verdict }: Finalization): UpdateWrite[] => {
    const failure =
      verdict.status === 'failed'
        ? {
            set: 'destination = reservedFor, nonce = :none, version = version + :one, failureReason = :reason',
            values: { ':none': unminted.nonce, ':one': 1, ':reason': verdict.reason },
          }
        : undefined;
    const after =
      verdict.status === 'failed'
        ? { status: 'reserved', hash: unminted.transactionHash }
        : { status: verdict.status, hash: verdict.hash };
    return resourceKeys(entry.purpose).map((key) => ({
      Update: {
        ...key,
        UpdateExpression: `SET #status = :status, transactionHash = :hash${failure === undefined ? ' REMOVE holder' : `, ${failure.set}`}`,
        ConditionExpression: isPendingOfNonce,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pending': 'pending',
          ':before': entry.nonce,
          ':status': after.status,
          ':hash': after.hash,
          ...failure?.values,
        },
      },
    }));
  };

  const finalizeResource = ({ entry, verdict, at }: Finalization): UpdateWrite[] => {
    if (entry.purpose.kind === 'claim') return finalizeClaim({ entry, verdict, at });
    const failure = verdict.status === 'failed' ? { ':reason': verdict.reason } : undefined;
    return resourceKeys(entry.purpose).map((key) => ({
      Update: {
        ...key,
        UpdateExpression: `SET #status = :status, transactionHash = :hash${failure === undefined ? '' : ', failureReason = :reason'}`,
        ConditionExpression: isPendingOfNonce,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pending': 'pending',
          ':before': entry.nonce,
          ':status': verdict.status,
          ':hash': verdict.hash,
          ...failure,
        },
      },
    }));
  };

  /**
   * Is refused if a token is gone. If the entry's own transaction were mined after all, the successor's would mint
   * the token again after it was burnt. A successor that is `recorded` already is responsible in any case.
   */
  const handOverResource = (entry: Entry, successor: Entry, isRecorded = false): UpdateWrite[] =>
    resourceKeys(entry.purpose).map((key) => ({
      Update: {
        ...key,
        UpdateExpression: 'SET nonce = :after, transactionHash = :hash',
        ConditionExpression: isRecorded ? isPendingOfNonce : isPresentOfNonce,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pending': 'pending',
          ':before': entry.nonce,
          ...(isRecorded ? {} : { ':failed': 'failed' }),
          ':after': successor.nonce,
          ':hash': lastAttempt(successor).hash,
        },
      },
    }));

  /** Whether newer changes have replaced all of the entry's changes, or tables have lost all that it creates. */
  const isOutdated = (entry: Entry, outdated: ItemNames | undefined): boolean => {
    const own = resourceKeys(entry.purpose);
    const areLost = own.length > 0 && own.every((key) => outdated?.has(nameOf(key)) === true);
    return areLost || updates.isOutdated(entry, outdated);
  };

  return {
    /**
     * Writes the entry, the resource, the places, the end of the lease and the end of the hold, in this order. If
     * DynamoDB refuses a write, `refusalOf` recognizes the write by its position.
     */
    record: (recording: Recording): Write[] => [
      putNew(tables.transactions, entryItem(recording.entry)),
      ...putResource(recording),
      ...requirePlaces(recording),
      ...endOfLease(recording),
      ...endOfHold(recording),
    ],
    finalize: (finalization: Finalization, outdated?: ItemNames): Write[] => [
      finalizeEntry(finalization),
      ...finalizeResource(finalization).map((write) => ifNotLost(write, outdated)),
      ...updates.finalize(finalization, outdated),
    ],
    /** What `finalize` writes, without the entry. */
    finalizeResources: (finalization: Finalization): Write[] => [
      ...finalizeResource(finalization),
      ...updates.finalize(finalization),
    ],
    /**
     * If newer changes have replaced everything that the entry changed, no successor is written. A successor would have
     * a later nonce, so it would undo the newer changes. Nor is one written for what tables have lost.
     */
    supersede: (entry: Entry, successor: Entry, outdated?: ItemNames): Write[] => [
      ...(isOutdated(entry, outdated) ? [] : [putNew(tables.transactions, entryItem(successor))]),
      changeEntry('supersede', entry),
      ...handOverResource(entry, successor).map((write) => ifNotLost(write, outdated)),
      ...updates.handOver(entry, successor, outdated),
    ],
    /** The contract, or the tokens, whose status follows the entry's. */
    resourceKeys: (entry: Entry) => resourceKeys(entry.purpose),
    /** The items in which the entry changes an attribute. */
    changesOf: (entry: Entry) => updates.changesOf(entry.purpose),
    /** What `supersede` has written, without the entries. */
    handOverResources: (entry: Entry, successor: Entry): Write[] => [
      ...handOverResource(entry, successor, true),
      ...updates.handOver(entry, successor),
    ],
    isOutdated,
  };
};
