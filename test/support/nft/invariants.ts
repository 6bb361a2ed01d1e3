import { decodeAbiParameters, encodeFunctionData } from 'viem';
import { expect } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { addressOfSigner } from '../../../shared/nft/transactions/entry.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { mintedIds } from './minted-ids.ts';
import type { World } from './world.ts';

/** A token that a 201 response promised to a caller, and the idempotency key that the caller sent. */
export interface Promised {
  readonly nft: Nft;
  readonly key?: string;
}

const ownerOfAbi = [
  {
    type: 'function',
    name: 'ownerOf',
    stateMutability: 'view',
    inputs: [{ type: 'uint256' }],
    outputs: [{ type: 'address' }],
  },
] as const;

const ownerOf = async (world: World, { contract, tokenId }: Nft): Promise<string> => {
  const data = encodeFunctionData({ abi: ownerOfAbi, functionName: 'ownerOf', args: [BigInt(tokenId)] });
  const answer = await world.anvil.rpc('eth_call', { to: contract, data }, 'latest');
  return decodeAbiParameters([{ type: 'address' }], answer as `0x${string}`)[0].toLowerCase();
};

/** No nonce is missing or stuck, and the outcome of every entry is final. */
export const expectFinishedSigner = async (world: World, signerId = world.signerId): Promise<void> => {
  const { ports, anvil } = world;
  const state = await ports.signers.find(signerId);
  const address = addressOfSigner(signerId);
  const mined = Number(await anvil.rpc('eth_getTransactionCount', address, 'latest'));
  const pending = Number(await anvil.rpc('eth_getTransactionCount', address, 'pending'));
  const entries = await ports.transactionLog.range({ signer: signerId, from: 0, to: state?.nextNonce ?? 0 });

  expect(state?.nextNonce).toBe(mined);
  expect(state?.finalizedCount).toBe(mined);
  expect(pending).toBe(mined);
  expect(entries.map(({ nonce }) => nonce)).toEqual(Array.from({ length: mined }, (_, nonce) => nonce));
  expect(entries.filter(({ status }) => status === 'pending')).toEqual([]);
};

/**
 * What must hold whatever failed in between: each promised token is confirmed, exists on the chain exactly once and
 * belongs to its receiver; ids are unique; the signer has no unfinished work; and a reused idempotency key returns the same token.
 */
export const expectInvariants = async (
  world: World,
  {
    contract,
    promised,
    application = world.application,
  }: {
    readonly contract: Pick<Contract, 'address' | 'applicationId' | 'signer'>;
    readonly promised: readonly Promised[];
    readonly application?: Application;
  },
): Promise<void> => {
  await expectFinishedSigner(world, contract.signer);

  const ids = promised.map(({ nft }) => nft.tokenId);
  const minted = await mintedIds(world, contract.address);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(minted).size).toBe(minted.length);
  expect(minted).toEqual(expect.arrayContaining(ids));

  for (const { nft, key } of promised) {
    const now = await world.ports.nfts.find(nft);
    expect(now).toMatchObject({ status: 'confirmed', tokenId: nft.tokenId });
    if (key === undefined) continue;
    const again = await world.mint({ contract: contract.address, key, application });
    expect(again).toEqual(now);
  }
  for (const { nft } of promised.slice(0, 20)) expect(await ownerOf(world, nft)).toBe(nft.destination);

  // Every token on the chain has a confirmed resource.
  for (const tokenId of minted) {
    const known = await world.ports.nfts.find({ ...contract, contract: contract.address, tokenId });
    expect(known?.status).toBe('confirmed');
  }
};
