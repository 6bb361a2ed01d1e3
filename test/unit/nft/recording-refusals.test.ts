import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transferGasLimit } from '../../../shared/nft/collections/collection.ts';
import type { Recording, TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import { dynamoDbTransactionLog } from '../../../shared/nft/store/transactions.ts';
import { type Entry, lastAttempt, signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { signEntry } from '../../../shared/nft/transactions/sign.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
import { aContract } from '../../support/nft/contracts.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { refusing, startScriptedAws } from '../../support/platform/scripted-aws.ts';

const key = localSigner();
let aws: Awaited<ReturnType<typeof startScriptedAws>>;
let transactionLog: TransactionLog;
let entry: Entry;

/** Makes DynamoDB refuse every call with this error. */
const answer = (type: string, fields?: object): void => aws.answer(refusing(type, fields));

const cancel = (...codes: readonly string[]): void =>
  answer('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

beforeAll(async () => {
  aws = await startScriptedAws();
  const client = documentClientOf(aws.settings, { maxAttempts: 1 });
  transactionLog = dynamoDbTransactionLog({
    client,
    tables: { contracts: 'c', nfts: 'n', transactions: 't', requests: 'r', wallets: 'w' },
    pause: async () => {},
  });
  const to = await key.address();
  const signer = signerIdOf({ chainId: key.chainId, address: to });
  entry = await signEntry(
    { signer: key, clock: () => 1_800_000_000_000 },
    {
      signer,
      nonce: 1,
      unsigned: { purpose: { kind: 'noop' }, to, data: '0x', gas: transferGasLimit },
      feeQuote: { maxFeePerGas: 8n, maxPriorityFeePerGas: 8n },
    },
  );
});

afterAll(() => aws.stop());

const passing = [
  'TransactionConflict',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'RequestLimitExceeded',
];
const lasting = ['ItemCollectionSizeLimitExceeded', 'ValidationError', 'AccessDenied'];

describe('a recording that DynamoDB cancels', () => {
  it.each(passing)('for %s is reported as busy after one write', async (reason) => {
    cancel('None', reason);

    expect(await transactionLog.record({ entry })).toEqual({ outcome: 'busy', reason });
    expect(aws.calls()).toHaveLength(1);
  });

  it.each(lasting)('for %s fails with that reason', async (reason) => {
    cancel(reason);

    await expect(transactionLog.record({ entry })).rejects.toThrow(`Nonce 1 cannot be recorded: ${reason}`);
  });
});

const collection = { applicationId: 'one', contract: '0x00000000000000000000000000000000000000cc' } as const;
const wallet = '0x00000000000000000000000000000000000000ee';
const claim = (registrationId: string | undefined) =>
  ({
    kind: 'claim',
    collection,
    tokenId: '1',
    destination: wallet,
    reservedFor: wallet,
    registrationId,
    version: 3,
    nonce: 1,
    transactionHash: '0xab',
  }) as const;
const hold = {
  scope: { applicationId: 'one', operation: 'mint', key: 'key' },
  bodyHash: 'hash',
  owner: 'ours',
} as const;
const lease = { ...collection, holder: 'ana', owner: 'ours' } as const;
const places = { ...collection, firstTokenId: '1', count: 2, owner: 'ours', takenAt: 5 } as const;
const royalty = {
  kind: 'royalty',
  collection,
  change: { nonce: 1, transactionHash: '0xab', status: 'pending', royalty: null },
} as const;
const purpose = { kind: 'set-royalty', ...collection, royalty: null } as const;
const changed = { outcome: 'token-changed', address: collection.contract, tokenId: '1' } as const;

describe('a recording of which one write is refused', () => {
  /** `refused` of the writes, as DynamoDB counts them. It has a reason for each write. */
  const refuse = (writes: number, ...refused: readonly number[]): void =>
    cancel(
      ...Array.from({ length: writes }, (_, index) =>
        refused.includes(index) ? 'ConditionalCheckFailed' : 'None',
      ),
    );
  const ofUser = { resource: claim('registration'), lease, hold };
  const ofNobody = { resource: claim(undefined), lease };

  it.each<[string, Omit<Recording, 'entry'>, { writes: number; refused: number }, object]>([
    ['the claimed token', ofUser, { writes: 6, refused: 1 }, changed],
    ['the registration of its user', ofUser, { writes: 6, refused: 3 }, { outcome: 'registration-ended' }],
    ['the lease of a user', ofUser, { writes: 6, refused: 4 }, { outcome: 'lease-lost' }],
    ['the lease of nobody', ofNobody, { writes: 3, refused: 2 }, { outcome: 'lease-lost' }],
    ['the fence of places', { places }, { writes: 2, refused: 1 }, { outcome: 'places-lost' }],
    ['a royalty', { resource: royalty }, { writes: 2, refused: 1 }, { outcome: 'outdated' }],
  ])('says so of %s', async (_, recording, { writes, refused }, outcome) => {
    refuse(writes, refused);

    expect(await transactionLog.record({ entry: { ...entry, purpose }, ...recording })).toEqual(outcome);
  });

  it('says what the first one means if others are refused too', async () => {
    refuse(5, 1, 3, 4);

    const { resource } = ofUser;
    expect(await transactionLog.record({ entry, resource, lease })).toEqual(changed);
  });

  it('is busy if another write conflicts', async () => {
    cancel('None', 'ConditionalCheckFailed', 'TransactionConflict');

    expect(await transactionLog.record({ entry, ...ofNobody })).toEqual({
      outcome: 'busy',
      reason: 'TransactionConflict',
    });
  });

  it('fails if nothing explains the refusal', async () => {
    cancel('None', 'ConditionalCheckFailed');

    const resource = { kind: 'contract', contract: aContract } as const;
    await expect(transactionLog.record({ entry, resource })).rejects.toThrow('cannot be recorded');
  });
});

describe('a recording that DynamoDB rejects as a whole', () => {
  it.each([
    'TransactionInProgressException',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
  ])('with %s is reported as busy after one write', async (type) => {
    answer(type);

    expect(await transactionLog.record({ entry })).toEqual({ outcome: 'busy', reason: type });
    expect(aws.calls()).toHaveLength(1);
  });

  it('with any other error fails with that error', async () => {
    answer('ValidationException');

    await expect(transactionLog.record({ entry })).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

describe('a decision that DynamoDB cancels', () => {
  const finalize = () =>
    transactionLog.finalize([
      { entry, verdict: { status: 'confirmed', hash: lastAttempt(entry).hash }, at: 1_800_000_000_000 },
    ]);

  it.each(passing)('for %s is tried five times and then fails', async (reason) => {
    cancel(reason);

    await expect(finalize()).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(aws.calls()).toHaveLength(5);
  });

  it.each(lasting)('for %s fails at once with that reason', async (reason) => {
    cancel(reason);

    await expect(finalize()).rejects.toThrow(`A change cannot be written: ${reason}`);
    expect(aws.calls()).toHaveLength(1);
  });
});
