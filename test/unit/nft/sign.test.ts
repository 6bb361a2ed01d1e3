import { describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import { transferGasLimit } from '../../../shared/nft/collections/collection.ts';
import { type Entry, signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { type RecordNoopDependencies, recordNoop } from '../../../shared/nft/transactions/gaps.ts';
import { signEntry } from '../../../shared/nft/transactions/sign.ts';
import { type AppendReplacementDependencies, appendReplacement } from '../../../shared/nft/waiter/replace.ts';
import { localSigner } from '../../support/nft/local-signer.ts';

const signer = localSigner();
const other: Address = '0x00000000000000000000000000000000000000bb';
const feeQuote = { maxFeePerGas: 8n, maxPriorityFeePerGas: 8n };

const record = () => {
  const written: unknown[] = [];
  const dependencies: RecordNoopDependencies & AppendReplacementDependencies = {
    signer,
    clock: () => 1_800_000_000_000,
    chain: { fees: async () => ({ baseFeePerGas: 1n, ...feeQuote }) },
    settings: { feeCeiling: 1_000n },
    transactionLog: {
      record: async (recording) => {
        written.push(recording);
        return { outcome: 'recorded' };
      },
      appendAttempt: async (append) => written.push(append) > 0,
    },
  };
  return { dependencies, written };
};

describe('the signing key of a signer', () => {
  it.each([
    ['key', signerIdOf({ chainId: signer.chainId, address: other })],
    ['chain', signerIdOf({ chainId: 137, address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })],
  ])('does not sign for a nonce of a signer with another %s', async (_, id) => {
    const { dependencies, written } = record();
    const unsigned = { purpose: { kind: 'noop' }, to: other, data: '0x', gas: transferGasLimit } as const;
    const own = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
    const entry: Entry = {
      ...(await signEntry(dependencies, { signer: own, nonce: 3, unsigned, feeQuote })),
      signer: id,
    };

    await expect(recordNoop(dependencies, { signer: id, nonce: 3, feeQuote })).rejects.toThrow(id);
    await expect(appendReplacement(dependencies, entry, { to: other, data: '0x', gas: 1n })).rejects.toThrow(
      id,
    );

    expect(written).toEqual([]);
  });
});
