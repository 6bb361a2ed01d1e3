/** Wallets that are keys: few, which are made once. */
import { privateKeyToAccount } from 'viem/accounts';
import { recoverMessageAddress } from 'viem/utils';
import { type Address, type Hex, lowerCase } from '../../../shared/chain/hex.ts';

const accounts = Array.from({ length: 8 }, (_, index) =>
  privateKeyToAccount(`0x${(index + 1).toString(16).padStart(64, '0')}`),
);
const numbers = new Map(accounts.map(({ address }, index) => [lowerCase(address), index]));

const account = (number: number) => {
  const found = accounts[number % accounts.length];
  if (found === undefined) throw new Error('There is no key');
  return found;
};

export const keyAddress = (number: number): Address => lowerCase(account(number).address);

export const isKey = (address: Address): boolean => numbers.has(address);

/** @param others How many keys further the key is that signs: 0 is the address's own. */
export const signedByKey = (address: Address, message: string, others: number): Promise<Hex> =>
  account((numbers.get(address) ?? 0) + others).signMessage({ message });

// viem loads its elliptic curve at the first signature that it checks. In a world, no time passes while it loads.
await recoverMessageAddress({ message: '', signature: await account(0).signMessage({ message: '' }) });
