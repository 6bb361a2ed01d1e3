/** The writes that the log's transactions are made of, each with the condition that keeps it right. */
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ResourceReference } from '../../nft/ports/claims.ts';
import type { Finalization, Recording } from '../../nft/ports/transaction-log.ts';
import { type Entry, lastAttempt, type Purpose } from '../../nft/transactions/entry.ts';
import { claimKey, contractKey, entryKey, type NftTables, nftKey, resourceItem } from './nft-items.ts';
import { entryItem } from './transaction-items.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const isUnused = 'attribute_not_exists(pk)';
const isPendingOfNonce = '#status = :pending AND nonce = :before';
const isOurClaim = '#state = :claimed AND #owner = :owner';
export const isPending = '#status = :pending';
export const hasTheAttemptsRead = 'size(attempts) = :attempts';

const referenceOf = (recording: Recording): ResourceReference => {
  const { resource } = recording;
  if (resource === undefined) throw new Error('A claim ends with a resource');
  return resource.kind === 'contract'
    ? { kind: 'contract', address: resource.contract.address }
    : { kind: 'nft', address: resource.nft.contract, tokenId: resource.nft.tokenId };
};

export const transactionWrites = (tables: NftTables) => {
  const resourceKey = (purpose: Purpose) => {
    if (purpose.kind === 'fill' || purpose.kind === 'set-base') return undefined;
    const { application, contract } = purpose;
    return purpose.kind === 'deploy'
      ? { TableName: tables.contracts, Key: contractKey({ application, address: contract }) }
      : { TableName: tables.nfts, Key: nftKey(purpose) };
  };

  const putEntry = (entry: Entry): Write => ({
    Put: {
      TableName: tables.transactions,
      Item: entryItem(entry),
      ConditionExpression: isUnused,
    },
  });

  const putResource = ({ resource }: Recording): Write[] =>
    resource === undefined
      ? []
      : [
          {
            Put: {
              TableName: resource.kind === 'contract' ? tables.contracts : tables.nfts,
              Item: resourceItem(resource),
              ConditionExpression: isUnused,
            },
          },
        ];

  const endClaim = (recording: Recording): Write[] => {
    const { claim } = recording;
    if (claim === undefined) return [];
    return [
      {
        Update: {
          TableName: tables.requests,
          Key: claimKey(claim.scope),
          UpdateExpression: 'SET #state = :done, #result = :result REMOVE leaseUntil, expiresAt',
          ConditionExpression: isOurClaim,
          ExpressionAttributeNames: { '#state': 'state', '#owner': 'owner', '#result': 'result' },
          ExpressionAttributeValues: {
            ':claimed': 'claimed',
            ':owner': claim.owner,
            ':done': 'done',
            ':result': referenceOf(recording),
          },
        },
      },
    ];
  };

  const finalizeEntry = ({ entry, verdict }: Finalization): Write => ({
    Update: {
      TableName: tables.transactions,
      Key: entryKey(entry),
      UpdateExpression: 'SET #status = :status',
      ConditionExpression: isPending,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':pending': 'pending', ':status': verdict.status },
    },
  });

  const finalizeResource = ({ entry, verdict }: Finalization): Write[] => {
    const resource = resourceKey(entry.purpose);
    if (resource === undefined) return [];
    const failure = verdict.status === 'failed' ? { ':reason': verdict.reason } : undefined;
    return [
      {
        Update: {
          ...resource,
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
      },
    ];
  };

  const supersedeEntry = (entry: Entry): Write => ({
    Update: {
      TableName: tables.transactions,
      Key: entryKey(entry),
      UpdateExpression: 'SET #status = :superseded',
      ConditionExpression: `${isPending} AND missingPasses = :missing AND ${hasTheAttemptsRead}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':attempts': entry.attempts.length,
        ':pending': 'pending',
        ':superseded': 'superseded',
        ':missing': entry.missingPasses,
      },
    },
  });

  const handOverResource = (entry: Entry, successor: Entry): Write[] => {
    const resource = resourceKey(entry.purpose);
    if (resource === undefined) return [];
    return [
      {
        Update: {
          ...resource,
          UpdateExpression: 'SET nonce = :after, transactionHash = :hash',
          ConditionExpression: isPendingOfNonce,
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':pending': 'pending',
            ':before': entry.nonce,
            ':after': successor.nonce,
            ':hash': lastAttempt(successor).hash,
          },
        },
      },
    ];
  };

  return {
    /** Entry, resource and the end of the claim, in this order: the outcome is read by it. */
    record: (recording: Recording): Write[] => [
      putEntry(recording.entry),
      ...putResource(recording),
      ...endClaim(recording),
    ],
    /** At most two. */
    finalize: (finalization: Finalization): Write[] => [
      finalizeEntry(finalization),
      ...finalizeResource(finalization),
    ],
    supersede: (entry: Entry, successor: Entry): Write[] => [
      putEntry(successor),
      supersedeEntry(entry),
      ...handOverResource(entry, successor),
    ],
  };
};
