/**
 * The writes that store the outcome of an entry of the log, or hand its work over to a successor, each with its
 * condition. They are executed in DynamoDB transactions.
 */

import type { Finalization } from '../ports/transaction-log.ts';
import { unminted } from '../reservations/stand-in.ts';
import { type Entry, lastAttempt, mintedTokens } from '../transactions/entry.ts';
import {
  type ByKind,
  byKind,
  type MintingKind,
  type Purpose,
  type PurposeOf,
} from '../transactions/purpose.ts';
import type { TransitionName } from '../transactions/transitions.ts';
import { followingItem, followingPresentItem } from './conditions.ts';
import { entryChange } from './entry-changes.ts';
import {
  type FollowingWrite,
  type ItemKey,
  type ItemNames,
  nameOf,
  ofEntry,
  updateFollowing,
} from './following-writes.ts';
import { contractKey, entryKey, type NftTables, nftKey } from './nft-items.ts';
import { putNew } from './recording-writes.ts';
import { entryItem } from './transaction-items.ts';
import { updateWrites } from './update-writes.ts';

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

  const changeEntry = (...change: Parameters<typeof entryChange>): FollowingWrite =>
    ofEntry({
      Update: { TableName: tables.transactions, Key: entryKey(change[1]), ...entryChange(...change) },
    });

  /**
   * Writes everything that customers are told about the outcome, so that one record of the table's stream contains it.
   */
  const finalizeEntry = (finalization: Finalization): FollowingWrite => {
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
  const finalizeClaim = ({ verdict }: Finalization) =>
    verdict.status === 'failed'
      ? {
          expression:
            'SET #status = :status, transactionHash = :hash, destination = reservedFor, nonce = :none, version = version + :one, failureReason = :reason',
          values: {
            ':status': 'reserved',
            ':hash': unminted.transactionHash,
            ':none': unminted.nonce,
            ':one': 1,
            ':reason': verdict.reason,
          },
        }
      : {
          expression: 'SET #status = :status, transactionHash = :hash REMOVE holder',
          values: { ':status': verdict.status, ':hash': verdict.hash },
        };

  const finalizeCreated = ({ verdict }: Finalization) =>
    verdict.status === 'failed'
      ? {
          expression: 'SET #status = :status, transactionHash = :hash, failureReason = :reason',
          values: { ':status': verdict.status, ':hash': verdict.hash, ':reason': verdict.reason },
        }
      : {
          expression: 'SET #status = :status, transactionHash = :hash',
          values: { ':status': verdict.status, ':hash': verdict.hash },
        };

  const finalizeResource = (finalization: Finalization, outdated?: ItemNames): FollowingWrite[] => {
    const { purpose, nonce: before } = finalization.entry;
    const update = purpose.kind === 'claim' ? finalizeClaim(finalization) : finalizeCreated(finalization);
    return resourceKeys(purpose).map((item) =>
      updateFollowing({ item, following: followingItem, before, update }, outdated),
    );
  };

  /**
   * Is refused if a token is gone. If the entry's own transaction were mined after all, the successor's would mint
   * the token again after it was burnt. A successor that is `recorded` already is responsible in any case.
   */
  const handOverResource = (
    entry: Entry,
    successor: Entry,
    { isRecorded, outdated }: { readonly isRecorded: boolean; readonly outdated?: ItemNames | undefined },
  ): FollowingWrite[] =>
    resourceKeys(entry.purpose).map((item) =>
      updateFollowing(
        {
          item,
          following: isRecorded ? followingItem : followingPresentItem,
          before: entry.nonce,
          update: {
            expression: 'SET nonce = :after, transactionHash = :hash',
            values: { ':after': successor.nonce, ':hash': lastAttempt(successor).hash },
          },
        },
        outdated,
      ),
    );

  /** Whether newer changes have replaced all of the entry's changes, or tables have lost all that it creates. */
  const isOutdated = (entry: Entry, outdated: ItemNames | undefined): boolean => {
    const own = resourceKeys(entry.purpose);
    const areLost = own.length > 0 && own.every((key) => outdated?.has(nameOf(key)) === true);
    return areLost || updates.isOutdated(entry, outdated);
  };

  return {
    finalize: (finalization: Finalization, outdated?: ItemNames): FollowingWrite[] => [
      finalizeEntry(finalization),
      ...finalizeResource(finalization, outdated),
      ...updates.finalize(finalization, outdated),
    ],
    /** What `finalize` writes, without the entry. */
    finalizeResources: (finalization: Finalization): FollowingWrite[] => [
      ...finalizeResource(finalization),
      ...updates.finalize(finalization),
    ],
    /**
     * If newer changes have replaced everything that the entry changed, no successor is written. A successor would have
     * a later nonce, so it would undo the newer changes. Nor is one written for what tables have lost.
     */
    supersede: (entry: Entry, successor: Entry, outdated?: ItemNames): FollowingWrite[] => [
      ...(isOutdated(entry, outdated) ? [] : [ofEntry(putNew(tables.transactions, entryItem(successor)))]),
      changeEntry('supersede', entry),
      ...handOverResource(entry, successor, { isRecorded: false, outdated }),
      ...updates.handOver(entry, successor, outdated),
    ],
    /** The contract, or the tokens, whose status follows the entry's. */
    resourceKeys: (entry: Entry) => resourceKeys(entry.purpose),
    /** The items in which the entry changes an attribute. */
    changesOf: (entry: Entry) => updates.changesOf(entry.purpose),
    /** What `supersede` has written, without the entries. */
    handOverResources: (entry: Entry, successor: Entry): FollowingWrite[] => [
      ...handOverResource(entry, successor, { isRecorded: true }),
      ...updates.handOver(entry, successor),
    ],
    isOutdated,
  };
};
