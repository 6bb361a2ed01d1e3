import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { zeroAddress } from '../../../shared/chain/hex.ts';
import { transferGasLimit } from '../../../shared/nft/collections/collection.ts';
import { LogBusyError, RecordingUnknownError } from '../../../shared/nft/errors.ts';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import type { RecordOutcome } from '../../../shared/nft/ports/transaction-log.ts';
import {
  recordPatiently,
  recordTransaction,
  writesAtMost,
} from '../../../shared/nft/submit/record-transaction.ts';
import { addressOfSigner, signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { signEntry } from '../../../shared/nft/transactions/sign.ts';
import { localSigner } from '../../support/nft/local-signer.ts';

const clock = () => 1_800_000_000_000;
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const silent = async (): Promise<never> => {
  throw new Error('The table does not answer');
};

const hold = {
  scope: { applicationId: 'one', operation: 'mint', key: 'k' },
  bodyHash: 'b',
  owner: 'this request',
};

const someEntry = async () => {
  const signer = localSigner();
  const id = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
  return signEntry(
    { signer, clock },
    {
      signer: id,
      nonce: 7,
      unsigned: { purpose: { kind: 'noop' }, to: addressOfSigner(id), data: '0x', gas: transferGasLimit },
      feeQuote: { maxFeePerGas: 4n, maxPriorityFeePerGas: 2n },
    },
  );
};

describe('a recording without an answer', () => {
  it('ends as unknown, not as failed, while the entry cannot be read back either', async () => {
    const entry = await someEntry();
    let writes = 0;
    const record = () => {
      writes += 1;
      return silent();
    };

    const recorded = recordPatiently(
      {
        transactionLog: { record, find: silent, range: async () => [] },
        holds: { find: silent },
        clock,
        logger,
        pause: async () => {},
      },
      { recording: { entry, hold }, writes: writesAtMost, deadline: clock() + 1 },
    );

    await expect(recorded).rejects.toBeInstanceOf(RecordingUnknownError);
    expect(writes).toBe(writesAtMost);
  });
});

describe('a recording whose answer was lost', () => {
  it('is reported as recorded when it appears between the reads that look for it', async () => {
    const entry = await someEntry();
    const result = { kind: 'contract', address: zeroAddress } as const;
    let hasLanded = false;
    const landsAfter = async <Read>(read: Read): Promise<Read> => {
      hasLanded = true;
      return read;
    };

    const recorded = await recordPatiently(
      {
        transactionLog: {
          record: silent,
          find: () => landsAfter(hasLanded ? entry : undefined),
          range: async () => [],
        },
        holds: {
          find: () =>
            landsAfter(
              hasLanded
                ? { state: 'done', bodyHash: 'b', result }
                : { state: 'held', bodyHash: 'b', owner: hold.owner, leaseUntil: clock() },
            ),
        },
        clock,
        logger,
        pause: async () => {},
      },
      { recording: { entry, hold }, writes: writesAtMost, deadline: clock() + 1 },
    );

    expect(recorded.result).toEqual({ outcome: 'recorded' });
  });
});

describe('a recording whose answer was lost and whose nonce has another entry', () => {
  it('is reported as not recorded, because its nonce was used', async () => {
    const [entry, other] = [await someEntry(), await someEntry()];
    const attempts = other.attempts.map((attempt) => ({ ...attempt, hash: '0x0b' as const }));

    const recorded = await recordPatiently(
      {
        transactionLog: {
          record: silent,
          find: async () => ({ ...other, attempts }),
          range: async () => [],
        },
        holds: {
          find: async () => ({
            state: 'held',
            bodyHash: 'b',
            owner: hold.owner,
            leaseUntil: clock(),
          }),
        },
        clock,
        logger,
        pause: async () => {},
      },
      { recording: { entry, hold }, writes: writesAtMost, deadline: clock() + 1 },
    );

    expect(recorded.result).toEqual({ outcome: 'nonce-used' });
  });
});

/** A log that answers each recording of a mint with the next of these outcomes, and the last one from then on. */
const recordWith = async (outcomes: readonly RecordOutcome[]) => {
  const signer = localSigner();
  const id = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
  const state = (nonce: number): SignerState => ({
    id,
    nextNonce: nonce + 1,
    lastTakenAt: clock(),
    generation: 'one',
    minedCount: 0,
    finalizedCount: 0,
    reopened: new Set(),
    finalizedHeight: 0,
    unminedCost: 0n,
    costedThrough: 0,
    fees: undefined,
    gap: undefined,
    isDraining: false,
  });
  const writes: { readonly nonce: number; readonly kind: string }[] = [];
  let next = 8;
  const unused = async (): Promise<never> => {
    throw new Error('Nobody asks for this');
  };
  const recorded = await recordTransaction(
    {
      chain: {
        transactionCounts: unused,
        finalizedBlock: unused,
        minedCountAt: unused,
        broadcast: async () => ({ outcome: 'accepted', detail: '' }),
      },
      signers: {
        create: unused,
        reserveNonce: async () => {
          const nonce = next;
          next += 1;
          return { nonce, state: state(nonce) };
        },
      },
      transactionLog: {
        find: unused,
        range: async () => [],
        record: async ({ entry: { nonce, purpose } }) => {
          if (purpose.kind !== 'noop') {
            const tried = writes.filter(({ kind }) => kind !== 'noop').length;
            writes.push({ nonce, kind: purpose.kind });
            return outcomes[Math.min(tried, outcomes.length - 1)] ?? { outcome: 'recorded' };
          }
          // A write takes time. The request may end only after it.
          await setImmediate();
          writes.push({ nonce, kind: 'noop' });
          return { outcome: 'recorded' };
        },
      },
      holds: { find: unused },
      logger,
      clock,
      randomId: () => 'random',
      pause: async () => {},
    },
    {
      signer: { id, signer },
      reserved: { nonce: 7, state: state(7) },
      feeQuote: { maxFeePerGas: 4n, maxPriorityFeePerGas: 2n },
      transaction: {
        unsigned: {
          purpose: { kind: 'set-base', applicationId: 'one', contract: zeroAddress, base: 'https://one' },
          to: zeroAddress,
          data: '0x',
          gas: 50_000n,
        },
      },
      hold: undefined,
      startedAt: clock(),
    },
  ).catch((error: unknown) => error);
  return { recorded, writes };
};

describe('a recording whose nonce was already used', () => {
  it('moves to the next nonce and leaves the entry of the used nonce as it is', async () => {
    const { recorded, writes } = await recordWith([{ outcome: 'nonce-used' }, { outcome: 'recorded' }]);

    expect(recorded).toMatchObject({ outcome: 'recorded', entry: { nonce: 8 }, state: { nextNonce: 9 } });
    expect(writes).toEqual([
      { nonce: 7, kind: 'set-base' },
      { nonce: 8, kind: 'set-base' },
    ]);
  });

  it('writes at most five times in total, over all nonces', async () => {
    const busy = { outcome: 'busy', reason: 'TransactionConflict' } as const;
    const { recorded, writes } = await recordWith([busy, busy, { outcome: 'nonce-used' }]);

    expect(recorded).toBeInstanceOf(LogBusyError);
    expect(writes.map(({ nonce }) => nonce)).toEqual([7, 7, 7, 8, 9]);
  });
});

describe('a recording that a later change made outdated', () => {
  it('fills its nonce with a noop, and is recorded again at the next nonce', async () => {
    const { recorded, writes } = await recordWith([{ outcome: 'outdated' }, { outcome: 'recorded' }]);

    expect(recorded).toMatchObject({ outcome: 'recorded', entry: { nonce: 8 } });
    expect(writes).toEqual([
      { nonce: 7, kind: 'set-base' },
      { nonce: 7, kind: 'noop' },
      { nonce: 8, kind: 'set-base' },
    ]);
  });
});
