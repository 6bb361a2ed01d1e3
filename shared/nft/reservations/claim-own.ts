import type { Address } from '../../chain/hex.ts';
import type { Application } from '../../platform/applications/application.ts';
import type { ApplicationUserSubs } from '../../users/ports/application-user-subs.ts';
import type { Users } from '../../users/ports/users.ts';
import { WalletNotLinkedError, WalletTooNewError } from '../../wallets/errors.ts';
import type { Wallets } from '../../wallets/ports/wallets.ts';
import { registrationOf } from '../../wallets/registration.ts';
import { holderOf } from '../../wallets/wallet.ts';
import {
  NftAlreadyClaimedError,
  NftFailedError,
  NftNotFoundError,
  TokenChangedMeanwhileError,
} from '../errors.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Nft } from '../tokens/nft.ts';
import { type SubmitClaimDependencies, submitClaim } from './claim.ts';
import { standInOf } from './stand-in.ts';

export interface OwnStandInDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'find'>;
}

/**
 * The stand-in of a user in the application's tokens, and the user's registration. Without an identifier for the user,
 * the application has reserved no token for the user, and there is no stand-in.
 * @throws UserNotFoundError
 */
export const ownStandIn = async (
  { users, subs }: OwnStandInDependencies,
  { application, userSub }: { readonly application: Pick<Application, 'id'>; readonly userSub: string },
): Promise<{ readonly registrationId: string; readonly standIn: Address | undefined }> => {
  const registrationId = await registrationOf({ users }, userSub);
  const sub = await subs.find({ registrationId, applicationId: application.id });
  return { registrationId, standIn: sub && standInOf(sub.applicationUserSub) };
};

export type ClaimOwnTokenDependencies = SubmitClaimDependencies &
  OwnStandInDependencies & {
    readonly wallets: Pick<Wallets, 'find'>;
    readonly nfts: Pick<Nfts, 'find'>;
    readonly claimAfterSeconds: number;
    /** How many tokens the users of one application may claim in a day. */
    readonly claimsPerDay: number;
  };

export interface OwnClaim {
  readonly application: Application;
  readonly userSub: string;
  readonly contract: Address;
  readonly tokenId: string;
  /** One of the user's wallets. */
  readonly address: Address;
}

/** @throws WalletNotLinkedError, WalletTooNewError */
const requireWallet = async (
  {
    wallets,
    clock,
    claimAfterSeconds,
  }: Pick<ClaimOwnTokenDependencies, 'wallets' | 'clock' | 'claimAfterSeconds'>,
  {
    userSub,
    registrationId,
    address,
  }: Pick<OwnClaim, 'userSub' | 'address'> & { readonly registrationId: string },
): Promise<void> => {
  const stored = await wallets.find(holderOf(userSub));
  const own = stored?.registrationId === registrationId ? stored.wallets : [];
  const wallet = own.find((each) => each.address === address);
  const now = clock();
  if (wallet === undefined || (wallet.opensUntil !== undefined && wallet.opensUntil <= now)) {
    throw new WalletNotLinkedError();
  }
  const availableAt = wallet.linkedAt + claimAfterSeconds * 1_000;
  if (now < availableAt) throw new WalletTooNewError({ availableAt, now });
};

/**
 * Mints a reserved token to one of the wallets of the user for whom it is reserved. If the user has claimed it to this
 * wallet already, returns the token.
 * @throws UserNotFoundError, NftNotFoundError also for a token of another user, NftFailedError, NftAlreadyClaimedError,
 * WalletNotLinkedError, WalletTooNewError, and the errors of `submitClaim`.
 */
export const claimOwnToken = async (
  dependencies: ClaimOwnTokenDependencies,
  { application, userSub, contract, tokenId, address }: OwnClaim,
): Promise<Nft> => {
  const { clock, nfts, claimsPerDay } = dependencies;
  const startedAt = clock();
  const { registrationId, standIn } = await ownStandIn(dependencies, { application, userSub });
  const find = async (): Promise<Nft> => {
    const nft = await nfts.find({ applicationId: application.id, contract, tokenId });
    if (standIn === undefined || nft?.reservedFor !== standIn) {
      throw new NftNotFoundError({ address: contract, tokenId });
    }
    return nft;
  };
  /** The token, if it is claimed already. `undefined` if it can be claimed. */
  const claimed = (nft: Nft): Nft | undefined => {
    const { status, failureReason: reason } = nft;
    if (status === 'reserved') return undefined;
    if (status === 'failed') throw new NftFailedError({ address: contract, tokenId, reason });
    if (nft.destination !== address) throw new NftAlreadyClaimedError({ address: contract, tokenId });
    return nft;
  };

  const token = await find();
  const earlier = claimed(token);
  if (earlier !== undefined) return earlier;
  await requireWallet(dependencies, { userSub, registrationId, address });
  try {
    const quota = { what: 'claims', by: 1, limit: claimsPerDay } as const;
    await submitClaim(dependencies, {
      application,
      token,
      registrationId,
      address,
      hold: undefined,
      quota,
      startedAt,
    });
  } catch (error) {
    if (!(error instanceof TokenChangedMeanwhileError)) throw error;
    const other = claimed(await find());
    if (other === undefined) throw error;
    return other;
  }
  return find();
};
