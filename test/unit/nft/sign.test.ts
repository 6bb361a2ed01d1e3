import { describe, expect, it } from 'vitest';
import { transferGasLimit } from '../../../shared/nft/collection/collection.ts';
import type { Address } from '../../../shared/nft/ports/chain.ts';
import { type Entry, signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { fillNonce } from '../../../shared/nft/transactions/gaps.ts';
import { signEntry } from '../../../shared/nft/transactions/sign.ts';
import type { Transacting } from '../../../shared/nft/transactions/transacting.ts';
import { appendReplacement } from '../../../shared/nft/waiter/replace.ts';
import { localSigner } from '../../support/local-signer.ts';

const signer = localSigner();
const other: Address = '0x00000000000000000000000000000000000000bb';
const offer = { maxFeePerGas: 8n, maxPriorityFeePerGas: 8n };

const record = (): { readonly deps: Transacting; readonly written: unknown[] } => {
  const written: unknown[] = [];
  const write = async (what: unknown) => written.push(what);
  const deps = {
    signer,
    clock: () => 1_800_000_000_000,
    chain: { fees: async () => ({ baseFeePerGas: 1n, ...offer }) },
    settings: { inFlightCap: 1, feeCeiling: 1_000n },
    log: { record: write, appendAttempt: write },
  } as unknown as Transacting;
  return { deps, written };
};

describe('the signing key', () => {
  it.each([
    ['key', signerIdOf({ chainId: signer.chainId, address: other })],
    ['chain', signerIdOf({ chainId: 137, address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })],
  ])('signs nothing under the nonce of a signer of another %s', async (_, id) => {
    const { deps, written } = record();
    const draft = { purpose: { kind: 'fill' }, to: other, data: '0x', gas: transferGasLimit } as const;
    const own = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
    const entry: Entry = { ...(await signEntry(deps, { signer: own, nonce: 3, draft, offer })), signer: id };

    await expect(fillNonce(deps, { signer: id, nonce: 3, offer })).rejects.toThrow(id);
    await expect(appendReplacement(deps, entry, { to: other, data: '0x', gas: 1n })).rejects.toThrow(id);

    expect(written).toEqual([]);
  });
});
