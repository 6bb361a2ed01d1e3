/** The promises about a token that is or was reserved, checked whenever it is written. */
import { type Address, addressSchema } from '../../../shared/chain/hex.ts';
import { nobody } from '../../../shared/nft/reservations/stand-in.ts';
import type { Item } from '../expressions.ts';
import { applicationUserSubOf, everyUser, holderOfUser } from './users.ts';

const isAllowed: Readonly<Record<string, readonly unknown[]>> = {
  reserved: [undefined, 'reserved', 'pending'],
  pending: ['reserved', 'pending'],
  confirmed: ['pending', 'confirmed'],
  failed: ['reserved', 'failed'],
};

/** Whether a mint took the token's id because the counter was lost, and failed because the token exists. */
const isOfFailedMint = ({ status, reservedFor }: Item): boolean =>
  status === 'failed' && reservedFor === undefined;

/** The hash of the user for whom a token of this application and contract is reserved. */
export type HolderOf = (
  reservedFor: unknown,
  token: { readonly applicationId: string; readonly contract: Address },
) => string | undefined;

export const holderAmongUsers: HolderOf = (reservedFor, { applicationId, contract }) => {
  const user = everyUser([applicationId]).find((each) =>
    String(reservedFor).endsWith(applicationUserSubOf(each)),
  );
  return user && holderOfUser(user, contract);
};

export const mistakesOf = (
  stored: Item | undefined,
  after: Item,
  {
    mayComeBack,
    holderOf,
  }: {
    /** Whether tables have lost items, which come back as they were. */
    readonly mayComeBack: boolean;
    readonly holderOf: HolderOf;
  },
): string[] => {
  const before = stored !== undefined && mayComeBack && isOfFailedMint(stored) ? undefined : stored;
  const what = `Token ${String(after.pk)} ${String(after.sk)}`;
  const { status, reservedFor, destination, holder, nonce, version } = after;
  const [applicationId = '', contract] = String(after.pk).split('#');
  const theirs = holderOf(reservedFor, { applicationId, contract: addressSchema.parse(contract) });
  const isHeld = status === 'reserved' || status === 'pending';
  /** A lost claim has minted the token, and the operator's command finds it on the chain. */
  const isClaimFound = before?.status === 'reserved' && status === 'confirmed';
  /** The user was removed. */
  const isForgotten = reservedFor === nobody;
  const isChanged =
    before !== undefined &&
    (before.status !== status || (before.reservedFor !== reservedFor && !isForgotten));
  return [
    ...(isAllowed[String(status)]?.includes(before?.status) === true ||
    (mayComeBack && (before === undefined || isClaimFound))
      ? []
      : [`${what} became ${String(status)} after ${String(before?.status)}`]),
    ...(holder === (isHeld ? theirs : undefined) ? [] : [`${what}, ${String(status)}, is held by another`]),
    ...(status === 'reserved' && (destination !== reservedFor || nonce !== -1)
      ? [`${what} is reserved and goes elsewhere`]
      : []),
    ...(isChanged && status !== 'confirmed' && version === before.version
      ? [`${what} changed without a new version`]
      : []),
    ...(before?.status !== 'reserved' &&
    before !== undefined &&
    before.reservedFor !== reservedFor &&
    !isForgotten
      ? [`${what} was given away while it was not reserved`]
      : []),
  ];
};
