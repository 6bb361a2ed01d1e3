import { checksumAddress } from 'viem';
import * as z from 'zod';

/** Lower case throughout the NFT domain, unless documented as EIP-55. Callers and nodes may send any case. */
export type Hex = `0x${string}`;
export type Address = Hex;
export type Hash = Hex;

export const hexSchema = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/.test(value));
export const isAddress = (text: string): text is Address => /^0x[0-9a-f]{40}$/.test(text);
export const addressSchema = z.custom<Address>((value) => typeof value === 'string' && isAddress(value));
export const zeroAddress: Address = `0x${'0'.repeat(40)}`;

export const lowerCase = (hex: Hex): Hex => hex.toLowerCase() as Hex;

/** EIP-55 form. */
export const checksummed = (address: Address): Address => checksumAddress(address);

const notAnAddress = 'Must be an address: 0x and 40 hexadecimal digits';
const wrongChecksum = 'Wrong checksum (EIP-55)';

const hasRightChecksum = (address: string): boolean => {
  const digits = address.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return !isMixed || checksummed(lowerCase(address as Hex)) === address;
};

/**
 * Accepts an address from a caller in any case, and outputs it in lower case. A mixed-case address contains a checksum
 * (EIP-55). An address with a wrong checksum is refused: it was probably mistyped, and a token minted to a wrong
 * address is lost.
 */
export const writtenAddressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, {
    error: notAnAddress,
    // Otherwise the checksum of any text would be computed, and viem would keep the text in its cache.
    abort: true,
  })
  .refine(hasRightChecksum, { error: wrongChecksum })
  .transform((address) => lowerCase(address as Hex));

/**
 * What was meant as an identifier of a user, not as an address, for example a UUID with hyphens, or a cut identifier.
 */
const isNearlyIdentifier = (text: string): boolean => /^[0-9a-f-]{24,39}$/i.test(text);

/**
 * Accepts what `writtenAddressSchema` accepts, and an application's identifier for a user, which is output as it is.
 */
export const writtenReceiverSchema = z
  .string()
  .regex(/^(0x[0-9a-fA-F]{40}|[0-9a-f]{32})$/, {
    error: ({ input }) =>
      isNearlyIdentifier(String(input))
        ? `${notAnAddress}, or an application_user_sub: 32 hexadecimal digits in lower case`
        : notAnAddress,
    abort: true,
  })
  .refine((text) => !text.startsWith('0x') || hasRightChecksum(text), { error: wrongChecksum })
  .transform((text) => (text.startsWith('0x') ? lowerCase(text as Hex) : text));
