import { createSiweMessage, SiweInvalidMessageFieldError, type SiweMessage } from 'viem/siwe';
import { zeroAddress } from '../chain/hex.ts';

/**
 * A Sign-In with Ethereum message (EIP-4361) that names a web page by its origin.
 * @throws SiweInvalidMessageFieldError if the message cannot name the origin.
 */
export const signInMessage = ({
  origin,
  ...fields
}: Omit<SiweMessage, 'domain' | 'uri' | 'version'> & { readonly origin: string }): string =>
  createSiweMessage({ ...fields, domain: new URL(origin).host, uri: origin, version: '1' });

/** Whether a message can name the origin. viem refuses hosts that EIP-4361 allows, such as one that ends in `.xn--p1ai`. */
export const canBeNamed = (origin: string): boolean => {
  try {
    signInMessage({ origin, address: zeroAddress, chainId: 1, nonce: '0'.repeat(32) });
    return true;
  } catch (error) {
    if (error instanceof SiweInvalidMessageFieldError) return false;
    throw error;
  }
};
