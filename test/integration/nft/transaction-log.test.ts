import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transferGasLimit } from '../../../shared/nft/collections/collection.ts';
import type { RestoredEntries } from '../../../shared/nft/ports/restored-entries.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import { dynamoDbRestoredEntries } from '../../../shared/nft/store/restored-entries.ts';
import { dynamoDbTransactionLog } from '../../../shared/nft/store/transactions.ts';
import {
  addressOfSigner,
  currentAttempt,
  type Entry,
  isKnownEntry,
  lastAttempt,
  signerIdOf,
} from '../../../shared/nft/transactions/entry.ts';
import { signAttempt, signEntry } from '../../../shared/nft/transactions/sign.ts';
import {
  type Transition,
  type TransitionName,
  transitions,
} from '../../../shared/nft/transactions/transitions.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const key = localSigner();
const feeQuote = { maxFeePerGas: 8n, maxPriorityFeePerGas: 8n };
const dependencies = { signer: key, clock: () => 1_800_000_000_000 };

let database: TestDatabase;
let transactionLog: TransactionLog;
let restoredEntries: RestoredEntries;
let signer: string;
let nonces = 0;

beforeAll(async () => {
  database = await startDatabase();
  const tables = await createTables(database, ['Contracts', 'Nfts', 'Transactions', 'Requests']);
  const log = {
    client: database.documents,
    tables: {
      contracts: tables.Contracts,
      nfts: tables.Nfts,
      transactions: tables.Transactions,
      requests: tables.Requests,
    },
  };
  transactionLog = dynamoDbTransactionLog(log);
  restoredEntries = dynamoDbRestoredEntries(log);
  signer = signerIdOf({ chainId: key.chainId, address: await key.address() });
});

afterAll(async () => {
  await database.stop();
});

const signed = (): Promise<Entry> => {
  const to = addressOfSigner(signer);
  nonces += 1;
  const unsigned = { purpose: { kind: 'noop' }, to, data: '0x', gas: transferGasLimit } as const;
  return signEntry(dependencies, { signer, nonce: nonces, unsigned, feeQuote });
};

/** An entry as one waiter read it, to which another has since appended an attempt. */
const outdated = async (): Promise<Entry> => {
  const entry = await signed();
  await transactionLog.record({ entry });
  const higher = { maxFeePerGas: 9n, maxPriorityFeePerGas: 9n };
  const attempt = await signAttempt(dependencies, {
    from: signer,
    nonce: entry.nonce,
    to: addressOfSigner(signer),
    data: '0x',
    gas: transferGasLimit,
    feeQuote: higher,
  });
  expect(await transactionLog.appendAttempt({ entry, attempt })).toBe(true);
  return entry;
};

describe('a log entry that got another attempt since it was read', () => {
  it('is not marked as missing, because the receipt of the new attempt was not requested', async () => {
    const entry = await outdated();

    expect(await transactionLog.noteMissing({ entry })).toBe(false);

    expect(await transactionLog.find(entry)).toMatchObject({ missingLooks: 0 });
  });

  it('is not superseded', async () => {
    const entry = await outdated();
    const successor = { ...(await signed()), supersedes: entry.nonce };

    expect(await transactionLog.supersede({ entry, successor })).toBe(false);

    expect(await transactionLog.find(entry)).toMatchObject({ status: 'pending' });
    expect(await transactionLog.find(successor)).toBeUndefined();
  });

  it('is not dropped', async () => {
    const entry = await outdated();

    expect(await transactionLog.drop(entry)).toBe(false);

    expect(await transactionLog.find(entry)).toMatchObject({ status: 'pending' });
  });

  it('gets no second attempt based on the outdated state', async () => {
    const entry = await outdated();
    const [attempt] = entry.attempts;
    if (attempt === undefined) throw new Error('No attempt');

    expect(await transactionLog.appendAttempt({ entry, attempt })).toBe(false);
  });
});

describe('a log entry whose nonce has another entry since tables were restored', () => {
  it('changes nothing of the other one', async () => {
    const entry = await signed();
    const { nonce } = entry;
    const unsigned = {
      purpose: { kind: 'noop' },
      to: addressOfSigner(signer),
      data: '0x',
      gas: 30_000n,
    } as const;
    const other = await signEntry(dependencies, { signer, nonce, unsigned, feeQuote });
    await transactionLog.record({ entry: other });
    const successor = { ...(await signed()), supersedes: nonce };
    const verdict = { status: 'confirmed', hash: lastAttempt(entry).hash } as const;

    expect(await transactionLog.finalize([{ entry, verdict, at: 1 }])).toEqual([]);
    expect(await transactionLog.appendAttempt({ entry, attempt: lastAttempt(entry) })).toBe(false);
    expect(await transactionLog.noteTried({ entry, at: 1 })).toBe(false);
    expect(await transactionLog.noteMissing({ entry })).toBe(false);
    expect(await transactionLog.supersede({ entry, successor })).toBe(false);
    expect(await transactionLog.drop(entry)).toBe(false);

    expect(await transactionLog.find(entry)).toEqual(other);
  });
});

describe('a log entry that was tried as the first of the queue', () => {
  it('keeps the time of that try', async () => {
    const entry = await signed();
    await transactionLog.record({ entry });

    await transactionLog.noteTried({ entry, at: 1_700_000_000_000 });

    expect(await transactionLog.find(entry)).toMatchObject({ triedAt: 1_700_000_000_000 });
  });
});

describe('a decided log entry', () => {
  it('contains everything that customers are notified of', async () => {
    const entry = await signed();
    await transactionLog.record({ entry });
    const verdict = { status: 'failed', hash: '0xab', reason: 'REVERTED' } as const;

    await transactionLog.finalize([{ entry, verdict, at: 1_800_000_000_000 }]);

    expect(await transactionLog.find(entry)).toMatchObject({
      status: 'failed',
      minedHash: '0xab',
      failureReason: 'REVERTED',
      decidedAt: 1_800_000_000_000,
    });
  });
});

describe('a log entry of which one of several attempts was mined', () => {
  it.each([
    ['confirmed', { status: 'confirmed' }],
    ['failed', { status: 'failed', reason: 'REVERTED' }],
  ] as const)(
    'is sent again as the mined attempt if it was %s and vanishes from the chain',
    async (_, decided) => {
      const [mined] = (await outdated()).attempts;
      const entry = await transactionLog.find({ signer, nonce: nonces });
      if (mined === undefined || entry === undefined || !isKnownEntry(entry)) throw new Error('No attempt');

      const at = lastAttempt(entry).signedAt;
      await transactionLog.finalize([{ entry, verdict: { ...decided, hash: mined.hash }, at }]);

      const found = await transactionLog.find(entry);
      expect(found?.attempts).toHaveLength(2);
      expect(found && currentAttempt(found)).toEqual(mined);
    },
  );
});

const statuses = ['pending', 'confirmed', 'failed', 'superseded'] as const;
const changes: Record<TransitionName, (entry: Entry) => Promise<boolean>> = {
  confirm: async (entry) => {
    const { hash } = lastAttempt(entry);
    return (
      (await transactionLog.finalize([{ entry, verdict: { status: 'confirmed', hash }, at: 1 }])).length > 0
    );
  },
  fail: async (entry) => {
    const { hash } = lastAttempt(entry);
    const verdict = { status: 'failed', hash, reason: 'REVERTED' } as const;
    return (await transactionLog.finalize([{ entry, verdict, at: 1 }])).length > 0;
  },
  supersede: async (entry) =>
    transactionLog.supersede({ entry, successor: { ...(await signed()), supersedes: entry.nonce } }),
  drop: (entry) => transactionLog.drop(entry),
  reopen: (entry) => restoredEntries.reopen(entry),
  appendAttempt: (entry) => transactionLog.appendAttempt({ entry, attempt: lastAttempt(entry) }),
  noteTried: (entry) => transactionLog.noteTried({ entry, at: 1 }),
  noteMissing: (entry) => transactionLog.noteMissing({ entry }),
};

describe('a change of a log entry', () => {
  const names = Object.keys(changes) as TransitionName[];

  it.each(names.flatMap((name) => statuses.map((status) => [name, status] as const)))(
    '%s is written only from the statuses in the table of transitions (%s)',
    async (name, status) => {
      const entry = { ...(await signed()), status };
      await transactionLog.record({ entry });
      const { from, to }: Transition = transitions[name];

      const isWritten = await changes[name](entry);

      expect(isWritten).toBe(from.includes(status));
      const expected = isWritten ? (to ?? status) : status;
      expect((await transactionLog.find(entry))?.status).toBe(expected);
    },
  );
});
