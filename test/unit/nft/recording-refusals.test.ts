import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transferGasLimit } from '../../../shared/nft/collections/collection.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import { dynamoDbTransactionLog } from '../../../shared/nft/store/transactions.ts';
import { type Entry, lastAttempt, signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { signEntry } from '../../../shared/nft/transactions/sign.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
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
    tables: { contracts: 'c', nfts: 'n', transactions: 't', requests: 'r' },
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
