import { beforeAll, describe, expect, it } from 'vitest';
import { type Dependencies, runWaiterHandler } from '../../../functions/nft/run-waiter/handler.ts';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { type Entry, lastAttempt, signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import type { Purpose } from '../../../shared/nft/transactions/purpose.ts';
import { signEntry } from '../../../shared/nft/transactions/sign.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { aReceipt } from '../../support/nft/receipt.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const key = localSigner();
const generation = 'one';
const contract = '0x00000000000000000000000000000000000000cc';

let entry: Entry;

beforeAll(async () => {
  const signer = signerIdOf({ chainId: key.chainId, address: await key.address() });
  const purpose: Purpose = { kind: 'revoke', applicationId: 'one', contract, tokenId: '7' };
  const unsigned = { purpose, to: contract, data: '0x', gas: 60_000n } as const;
  const signed = await signEntry(
    { signer: key, clock: () => 0 },
    { signer, nonce: 0, unsigned, feeQuote: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } },
  );
  entry = { ...signed, missingLooks: 2 };
});

/** Runs a pass of the waiter for a signer with one final transaction, while KMS refuses to show the signer's key. */
const pass = async (logged: Entry, receipt: 'its own' | 'none') => {
  let now = 1_000;
  const decided: string[] = [];
  const reserved: number[] = [];
  const { hash } = lastAttempt(logged);
  let state = aSignerState({ id: logged.signer, generation, nextNonce: 1 });
  const dependencies = {
    keys: {
      find: async () => {
        throw new ChainUnavailableError({ message: 'KMS is away' });
      },
    },
    signers: {
      find: async () => state,
      saveProgress: async ({ progress }: { readonly progress: object }) => {
        state = { ...state, ...progress };
      },
      reserveNonce: async () => {
        reserved.push(state.nextNonce);
        return { nonce: state.nextNonce, state };
      },
      swapGeneration: async () => true,
    },
    transactionLog: {
      range: async () => (decided.length === 0 ? [logged] : []),
      finalize: async (
        decisions: readonly { readonly entry: Entry; readonly verdict: { status: string } }[],
      ) => {
        decided.push(...decisions.map(({ verdict }) => verdict.status));
        return decisions.map(({ entry: one }) => one);
      },
    },
    chain: {
      transactionCounts: async () => ({ latest: 1, pending: 1 }),
      finalizedBlock: async () => ({ number: 9, hash: '0x09' }),
      minedCountAt: async () => 1,
      receipts: async () => new Map([[hash, receipt === 'none' ? null : aReceipt(hash)]]),
      lookUpReceipts: async () => new Map([[hash, { outcome: 'absent' }]]),
      blockHashes: async () => new Map([[5, '0x05']]),
      findEvent: async () => ({ outcome: 'absent' }),
      fees: async () => ({ baseFeePerGas: 1n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }),
      balance: async () => 1n,
    },
    nfts: { findRange: async () => [] },
    events: { raise: () => {}, measure: () => {} },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    clock: () => now,
    wait: async (milliseconds: number) => {
      now += milliseconds;
    },
    randomId: () => 'two',
    settings: { inFlightCap: 16, feeCeiling: 1_000n },
    passMilliseconds: 30_000,
    roundMilliseconds: 2_000,
  } as unknown as Dependencies;
  const result = await runWaiterHandler(dependencies)({ signer: logged.signer, generation });
  return { result, decided, reserved };
};

describe('a pass of the waiter for a signer whose key cannot be read', () => {
  it('decides what is final on the chain, which needs no signature', async () => {
    const { result, decided } = await pass({ ...entry, purpose: { kind: 'noop' } }, 'its own');

    expect(decided).toEqual(['confirmed']);
    expect(result).toMatchObject({ again: false });
  });

  it('reserves no nonce for a successor that it cannot sign', async () => {
    const { result, decided, reserved } = await pass(entry, 'none');

    expect({ decided, reserved }).toEqual({ decided: [], reserved: [] });
    expect(result).toMatchObject({ again: true });
  });
});
