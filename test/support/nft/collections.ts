import type { Address } from '../../../shared/chain/hex.ts';
import type { Collection } from '../../../shared/nft/collections/collection.ts';

/** The address of anvil's first account. */
export const anvilAddress: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

export function aCollection(changes: Partial<Collection> = {}): Collection {
  return {
    name: 'Fan Club',
    symbol: 'FAN',
    base: 'https://api.example.com',
    owner: anvilAddress,
    royalty: null,
    ...changes,
  };
}

/** A different salt for each number. */
export const aSalt = (number: number): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`;
