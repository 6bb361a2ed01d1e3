import { checksumAddress } from 'viem';
import * as z from 'zod';

/** Lower case throughout the NFT domain, unless documented as EIP-55. Callers and nodes may send any case. */
export type Hex = `0x${string}`;
export type Address = Hex;
export type Hash = Hex;

export const hexSchema = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/.test(value));
export const addressSchema = z.custom<Address>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value),
);
export const zeroAddress: Address = `0x${'0'.repeat(40)}`;

export const lowerCase = (hex: Hex): Hex => hex.toLowerCase() as Hex;

/** EIP-55 form. */
export const checksummed = (address: Address): Address => checksumAddress(address);

/**
 * Accepts an address from a caller in any case, and outputs it in lower case. A mixed-case address contains a checksum
 * (EIP-55). An address with a wrong checksum is refused: it was probably mistyped, and a token minted to a wrong
 * address is lost.
 */
export const writtenAddressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, {
    error: 'Must be an address: 0x and 40 hexadecimal digits',
    // Otherwise the checksum of any text would be computed, and viem would keep the text in its cache.
    abort: true,
  })
  .refine(
    (address) => {
      const digits = address.slice(2);
      const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
      return !isMixed || checksummed(lowerCase(address as Hex)) === address;
    },
    { error: 'Wrong checksum (EIP-55)' },
  )
  .transform((address) => lowerCase(address as Hex));
