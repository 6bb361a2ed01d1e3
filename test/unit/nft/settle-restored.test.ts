import { expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import { encodeMint, mintGasLimit } from '../../../shared/nft/collections/collection.ts';
import {
  type SettleRestoredDependencies,
  settleRestored,
} from '../../../shared/nft/restored/settle-restored.ts';
import { type Entry, signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { keyRing } from '../../../shared/nft/transactions/key-ring.ts';
import { signAttempt } from '../../../shared/nft/transactions/sign.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const contract: Address = '0x00000000000000000000000000000000000000cc';
const destination: Address = '0x00000000000000000000000000000000000000aa';
const signer = localSigner();
const clock = () => 1_800_000_000_000;
const neverAsked = async (): Promise<never> => {
  throw new Error('Nobody was to ask this');
};

const aPendingMint = async (): Promise<Entry> => {
  const from = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
  const call = { to: contract, data: encodeMint({ destination, tokenId: 7n }), gas: mintGasLimit(1) };
  const feeQuote = { maxFeePerGas: 8n, maxPriorityFeePerGas: 8n };
  return {
    signer: from,
    nonce: 3,
    purpose: { kind: 'mint', applicationId: 'one', contract, firstTokenId: '7', destinations: [destination] },
    gas: call.gas,
    attempts: [await signAttempt({ signer, clock }, { from, nonce: 3, ...call, feeQuote })],
    status: 'pending',
    missingLooks: 2,
  };
};

const state = aSignerState({ nextNonce: 10, finalizedCount: 4 });

/** The chain has none of the entry's work, and each repetition is refused. */
const dependenciesOf = (entry: Entry): SettleRestoredDependencies => ({
  chain: {
    fees: async () => ({ baseFeePerGas: 1n, maxFeePerGas: 4n, maxPriorityFeePerGas: 1n }),
    finalizedBlock: async () => ({ number: 6, hash: '0x06' }),
    minedCountAt: async () => 4,
    receipts: async () => new Map(),
    lookUpReceipts: async ({ hashes }) => new Map(hashes.map((hash) => [hash, { outcome: 'absent' }])),
    findEvent: async () => ({ outcome: 'absent' }),
    call: async () => ({ outcome: 'reverted', reason: 'TokenNotFound' }),
    broadcast: async () => ({ outcome: 'accepted', detail: '' }),
    transactionCounts: neverAsked,
    blockHashes: neverAsked,
    hasCode: neverAsked,
    revertReason: neverAsked,
  },
  signers: {
    find: async () => state,
    create: neverAsked,
    raiseNextNonce: neverAsked,
    reserveNonce: async () => ({ nonce: 10, state }),
  },
  transactionLog: {
    find: async () => entry,
    range: async () => [],
    record: async () => ({ outcome: 'recorded' }),
    supersede: async () => false,
    noteMissing: neverAsked,
    finalize: neverAsked,
    drop: neverAsked,
    failLostBurn: neverAsked,
  },
  keys: keyRing([signer]),
  nfts: { findRange: async () => [] },
  supplies: { giveBackFailed: neverAsked, takeReturned: async () => {} },
  restoredEntries: {
    put: neverAsked,
    outcomeOf: neverAsked,
    finalizeResources: neverAsked,
    confirmReserved: neverAsked,
    takeBackResources: neverAsked,
    handOverResources: neverAsked,
    isAwaited: async () => true,
  },
  wait: async () => {},
  events: { raise: () => {} },
  logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  settings: { feeCeiling: 1_000n },
  randomId: () => 'random',
  clock,
});

it('spends ever fewer nonces on restored work whose repetition is refused again and again', async () => {
  const entry = await aPendingMint();
  let nonces = 0;
  let waits = 0;
  const usual = dependenciesOf(entry);
  const dependencies: SettleRestoredDependencies = {
    ...usual,
    signers: {
      ...usual.signers,
      reserveNonce: async () => {
        nonces += 1;
        return { nonce: 9 + nonces, state };
      },
    },
    wait: async () => {
      waits += 1;
      if (waits === 1_000) throw new Error('That is enough');
    },
  };

  await expect(settleRestored(dependencies, { entries: [entry] })).rejects.toThrow('That is enough');

  expect(nonces).toBeGreaterThan(5);
  expect(nonces).toBeLessThan(25);
});

it('settles no more than sixteen transactions as of one block, whose state nodes soon forget', async () => {
  const entry = await aPendingMint();
  const heights: number[] = [];
  let height = 0;
  const usual = dependenciesOf(entry);
  const dependencies: SettleRestoredDependencies = {
    ...usual,
    chain: {
      ...usual.chain,
      finalizedBlock: async () => {
        height += 1;
        return { number: height, hash: '0x06' };
      },
      minedCountAt: async (_, { number }) => {
        heights.push(number);
        return 3;
      },
    },
    wait: async () => {
      throw new Error('That is enough');
    },
  };

  await expect(settleRestored(dependencies, { entries: Array(40).fill(entry) })).rejects.toThrow(
    'That is enough',
  );

  expect(heights).toHaveLength(40);
  for (const each of new Set(heights))
    expect(heights.filter((one) => one === each).length).toBeLessThanOrEqual(16);
});

it('settles the other transactions also while the key of one signer cannot be read', async () => {
  const entry = await aPendingMint();
  const keyless = { ...entry, signer: '137#0x00000000000000000000000000000000000000dd' as const };
  const usual = dependenciesOf(entry);
  const dependencies: SettleRestoredDependencies = {
    ...usual,
    keys: {
      find: async (id) => {
        if (id === keyless.signer) throw new ChainUnavailableError({ message: 'KMS is away' });
        return undefined;
      },
    },
    transactionLog: {
      ...usual.transactionLog,
      find: async ({ signer: id }) => (id === keyless.signer ? keyless : entry),
    },
  };
  const left: number[] = [];

  await expect(
    settleRestored(
      {
        ...dependencies,
        wait: async () => {
          if (left.length > 1) throw new Error('That is enough');
        },
      },
      { entries: [keyless, ...Array(20).fill(entry)], onProgress: (count) => left.push(count) },
    ),
  ).rejects.toThrow('That is enough');

  expect(left).toEqual([21, 1]);
});
