import { beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import { encodeMint, mintGasLimit, transferGasLimit } from '../../../shared/nft/collections/collection.ts';
import { type Attempt, callOf, type Entry, signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { signAttempt } from '../../../shared/nft/transactions/sign.ts';
import { broadcastEntry } from '../../../shared/nft/waiter/broadcast.ts';
import { newPass } from '../../../shared/nft/waiter/pass-state.ts';
import {
  type ReceiptVerdictDependencies,
  receiptVerdict,
} from '../../../shared/nft/waiter/receipt-verdict.ts';
import { currentCall } from '../../../shared/nft/waiter/replace.ts';
import { type SupersedeDependencies, supersedeMissing } from '../../../shared/nft/waiter/supersede.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { aReceipt } from '../../support/nft/receipt.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const contract: Address = '0x00000000000000000000000000000000000000cc';
const destination: Address = '0x00000000000000000000000000000000000000aa';
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const signer = localSigner();
const clock = () => 1_800_000_000_000;
const neverAsked = async (): Promise<never> => {
  throw new Error('Nobody was to ask this');
};

let cancelled: Entry;
let mint: Attempt;
let cancellation: Attempt;

beforeAll(async () => {
  const address = await signer.address();
  const from = signerIdOf({ chainId: signer.chainId, address });
  const fees = { maxFeePerGas: 8n, maxPriorityFeePerGas: 8n };
  const higher = { maxFeePerGas: 9n, maxPriorityFeePerGas: 9n };
  const data = encodeMint({ destination, tokenId: 7n });
  mint = await signAttempt(
    { signer, clock },
    { from, nonce: 3, to: contract, data, gas: mintGasLimit(1), feeQuote: fees },
  );
  cancellation = await signAttempt(
    { signer, clock },
    { from, nonce: 3, to: address, data: '0x', gas: transferGasLimit, cancels: true, feeQuote: higher },
  );
  cancelled = {
    signer: from,
    nonce: 3,
    purpose: { kind: 'mint', applicationId: 'one', contract, firstTokenId: '7', destinations: [destination] },
    gas: mintGasLimit(1),
    attempts: [mint, cancellation],
    status: 'pending',
    missingLooks: 0,
  };
});

const sentFor = async (entry: Entry): Promise<string[]> => {
  const sent: string[] = [];
  const chain = {
    broadcast: async (raw: string) => {
      sent.push(raw);
      return { outcome: 'accepted' as const, detail: '' };
    },
  };
  await broadcastEntry(newPass({ chain, logger, events: { raise: () => {} } }, entry.signer), entry);
  return sent;
};

describe('a log entry whose cancellation was requested', () => {
  it('sends and replaces the cancelling transaction instead of the original one', async () => {
    expect(await sentFor(cancelled)).toEqual([cancellation.raw]);
    expect(currentCall(cancelled)).toEqual({
      to: (await signer.address()).toLowerCase(),
      data: '0x',
      gas: transferGasLimit,
      cancels: true,
    });
  });

  it('sends the original transaction again if that one was mined first and its block then vanishes', async () => {
    const confirmed = { ...cancelled, status: 'confirmed' as const };

    expect(await sentFor(confirmed)).toEqual([mint.raw]);
    expect(currentCall(confirmed)).toMatchObject({ to: contract, cancels: undefined });
  });

  it('sends the cancelling transaction again if it was mined and its block then vanishes', async () => {
    expect(await sentFor({ ...cancelled, status: 'failed' })).toEqual([cancellation.raw]);
  });

  it('passes its cancellation on to its successor when another transaction used its nonce', async () => {
    const successors: Entry[] = [];
    const state = aSignerState({ nextNonce: 10 });
    const dependencies: SupersedeDependencies = {
      chain: {
        fees: async () => ({ baseFeePerGas: 1n, maxFeePerGas: 4n, maxPriorityFeePerGas: 1n }),
        transactionCounts: neverAsked,
        finalizedBlock: neverAsked,
        minedCountAt: neverAsked,
        broadcast: neverAsked,
        findEvent: async () => ({ outcome: 'absent' }),
      },
      signer,
      clock,
      logger,
      events: { raise: () => {} },
      settings: { feeCeiling: 1_000n },
      randomId: () => 'random',
      signers: { create: neverAsked, reserveNonce: async () => ({ nonce: 9, state }) },
      nfts: { findRange: async () => [] },
      transactionLog: {
        range: async () => [],
        record: neverAsked,
        noteMissing: neverAsked,
        finalize: neverAsked,
        drop: neverAsked,
        failLostBurn: neverAsked,
        supersede: async ({ successor }) => {
          successors.push(successor);
          return true;
        },
      },
    };

    await supersedeMissing(newPass(dependencies, cancelled.signer), {
      absent: [{ ...cancelled, missingLooks: 2 }],
      deadline: Number.POSITIVE_INFINITY,
      at: { number: 6, hash: '0x06' },
    });

    const [attempt] = successors[0]?.attempts ?? [];
    expect(successors).toMatchObject([{ nonce: 9, supersedes: 3, purpose: cancelled.purpose }]);
    expect(attempt?.cancels).toBe(true);
    expect(attempt && callOf(attempt).data).toBe('0x');
  });
});

describe('the final status of a cancelled entry', () => {
  const at = { number: 6, hash: '0x06' } as const;
  /** The transaction that deployed the collection, if there is code. */
  const deployment = `0x${'d'.repeat(64)}` as const;
  const onChain = (hasCode: boolean): ReceiptVerdictDependencies => ({
    chain: {
      hasCode: async () => hasCode,
      call: neverAsked,
      lookUpReceipts: neverAsked,
      blockHashes: neverAsked,
      findEvent: async () => ({ outcome: 'found', transactionHash: deployment }),
      revertReason: neverAsked,
    },
    transactionLog: { find: neverAsked },
  });

  it('is failed with the reason CANCELLED when the cancelling transaction was mined', async () => {
    const verdict = await receiptVerdict(onChain(true), {
      entry: cancelled,
      receipt: aReceipt(cancellation.hash),
      at,
    });

    expect(verdict).toEqual({
      status: 'failed',
      hash: cancellation.hash,
      reason: 'CANCELLED: withdrawn by the operator',
    });
  });

  it('is failed without the reason CANCELLED when the mint was mined but wrote no log', async () => {
    const verdict = await receiptVerdict(onChain(true), {
      entry: cancelled,
      receipt: aReceipt(mint.hash),
      at,
    });

    expect(verdict).toMatchObject({ status: 'failed', reason: expect.stringContaining('CONTRACT_FAILED') });
  });

  it.each([
    [true, () => ({ status: 'confirmed', hash: deployment })],
    [false, () => ({ status: 'failed', hash: cancellation.hash })],
  ])('depends on whether the cancelled deployment left code at the address: %s', async (hasCode, decided) => {
    const purpose = { kind: 'deploy', applicationId: 'one', contract } as const;
    const entry = { ...cancelled, purpose };

    expect(
      await receiptVerdict(onChain(hasCode), { entry, receipt: aReceipt(cancellation.hash), at }),
    ).toMatchObject(decided());
  });
});
