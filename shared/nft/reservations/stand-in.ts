import { type Address, isAddress } from '../../chain/hex.ts';

/**
 * Stands for a user where a token has the address of its receiver: four zero bytes and the 128 bits of the
 * application's identifier for the user. Nobody has the key of such an address, and no token is minted to it
 * (`refuseStandIns`). An index, and a release that knows no reservations, read it like any address.
 */
export const standInOf = (applicationUserSub: string): Address => `${prefix}${applicationUserSub}`;

/** Whether the address has the form of a stand-in. Others can have it too. */
export const isStandIn = (address: Address): boolean => address.startsWith(prefix);

/** The application's identifier for the user, or an empty text for `nobody`. */
export const applicationUserSubOf = (standIn: Address): string =>
  standIn === nobody ? '' : standIn.slice(prefix.length);

const prefix = '0x00000000';

/**
 * Stands where a user was who has been removed. A claimed token would otherwise say for ever which wallet was the
 * user's. Identifiers are random, so no user has this one.
 */
export const nobody: Address = `${prefix}${'f'.repeat(32)}`;

/** Where a token goes: the address, or the stand-in of the user. */
export const receiverOf = (destination: string): Address =>
  isAddress(destination) ? destination : standInOf(destination);

/** The nonce and the hash of a token that no transaction mints. */
export const unminted = { nonce: -1, transactionHash: '0x' } as const;
