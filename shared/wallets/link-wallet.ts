import { createHash } from 'node:crypto';
import type { Address, Hex } from '../chain/hex.ts';
import { isRandomId } from '../platform/random-id.ts';
import type { Clock } from '../platform/time/clock.ts';
import { SignatureInvalidError, WalletLimitReachedError, WalletsChangedMeanwhileError } from './errors.ts';
import type { Challenge, Challenges } from './ports/challenges.ts';
import type { ContractSignatures } from './ports/contract-signatures.ts';
import type { WalletChange, Wallets } from './ports/wallets.ts';
import { isOfKey, messageHash } from './signature.ts';
import { unlinkWallets } from './unlink-wallets.ts';
import {
  contractLinkMilliseconds,
  holderOf,
  type LinkedWallet,
  type Ownership,
  opensFrom,
  type UserWallets,
  walletsAtMost,
  without,
} from './wallet.ts';

const attemptsAtMost = 3;

/**
 * The maximum number of times that a write is tried. It is tried again only if another request changed the same items
 * first. If that happens this often, something else must be wrong.
 */
const triesAtMost = 10;

export interface LinkWalletDependencies {
  readonly challenges: Pick<Challenges, 'find' | 'takeAttempt'>;
  readonly wallets: Wallets;
  readonly contracts: ContractSignatures;
  readonly ticketSeconds: number;
  readonly clock: Clock;
}

export interface LinkWalletInput {
  readonly userSub: string;
  readonly address: Address;
  readonly challengeId: string;
  readonly signature: Hex;
  readonly origin: string | undefined;
}

/**
 * Links a wallet to a user, if the wallet has signed a challenge that was created for this wallet and this user. A
 * repeated call changes nothing. A wallet that is linked to another user is unlinked from that user.
 * @throws SignatureInvalidError, WalletLimitReachedError, WalletsChangedMeanwhileError;
 * ChainUnavailableError when a contract must verify the signature and no endpoint answers.
 */
export const linkWallet = async (
  dependencies: LinkWalletDependencies,
  input: LinkWalletInput,
): Promise<LinkedWallet> => {
  const { challenges, wallets, clock } = dependencies;
  const { userSub, address, challengeId } = input;
  const holder = holderOf(userSub);
  const proof = proofOf(input);
  let verifier: Verifier | undefined;
  for (let tried = 0; tried < triesAtMost; tried += 1) {
    // One write links the wallet and uses the challenge up. The challenge is read before the wallets. So if that write
    // has already used the challenge up, the wallets contain the new link.
    const challenge = isRandomId(challengeId) ? await challenges.find(challengeId) : undefined;
    const stored = await wallets.find(holder);
    const registrationId = await requireRegistered(wallets, { challenge, stored, userSub });
    const own = stored?.registrationId === registrationId ? stored.wallets : [];
    const linked = own.find((wallet) => wallet.address === address);
    if (linked?.proof === proof) return linked;
    const open = requireOpen(challenge, { ...input, registrationId, now: clock() });
    if (linked === undefined && own.length >= walletsAtMost) {
      throw new WalletLimitReachedError({ limit: walletsAtMost });
    }
    verifier ??= await verifierOf(dependencies, { challenge: open, signature: input.signature });
    if (stored !== undefined && stored.registrationId !== registrationId) {
      // The removal of the former registration has died before it unlinked these wallets.
      await unlinkWallets(dependencies, { userSub, registrationId: stored.registrationId });
      continue;
    }

    const ownership = await wallets.ownershipOf(address);
    const former = ownership?.registrationId === registrationId ? undefined : ownership;
    if (former !== undefined && former.provenAt > open.issuedAt) {
      throw new SignatureInvalidError({ reason: 'the wallet was linked by a newer challenge' });
    }
    const now = clock();
    const opensUntil = verifier === 'key' ? undefined : now + contractLinkMilliseconds;
    const wallet = linked
      ? { ...linked, opensUntil, proof }
      : {
          address,
          linkedAt: now,
          opensFrom: opensFrom(ownership, { ...dependencies, registrationId, now }),
          opensUntil,
          proof,
        };
    const outcome = await wallets.write({
      registrationId,
      users: [
        {
          before: stored,
          after: {
            userSub,
            registrationId,
            version: (stored?.version ?? 0) + 1,
            wallets: [...own.filter((each) => each.address !== address), wallet],
          },
        },
        ...(former === undefined || former.holder === holder ? [] : await withoutWallet(wallets, former)),
      ],
      ownerships: [
        {
          before: ownership,
          after: {
            address,
            holder,
            registrationId,
            provenAt: open.issuedAt,
            opensFrom: wallet.opensFrom,
            version: (ownership?.version ?? 0) + 1,
          },
        },
      ],
      challenge: { id: open.id, now },
    });
    if (outcome === 'written') return wallet;
  }
  throw new WalletsChangedMeanwhileError();
};

const proofOf = ({ challengeId, signature }: LinkWalletInput): string =>
  createHash('sha256')
    .update(JSON.stringify([challengeId, signature]))
    .digest('hex');

/**
 * The registration for which the challenge was created. A used challenge names no user; then it is the registration of
 * the user's wallets, where a repeated call finds its link.
 */
const requireRegistered = async (
  wallets: Pick<Wallets, 'hasEnded'>,
  {
    challenge,
    stored,
    userSub,
  }: {
    readonly challenge: Challenge | undefined;
    readonly stored: UserWallets | undefined;
    readonly userSub: string;
  },
): Promise<string> => {
  const { registrationId } = (challenge?.userSub === userSub ? challenge : stored) ?? {};
  if (registrationId === undefined || (await wallets.hasEnded(registrationId))) throw noOpenChallenge();
  return registrationId;
};

const noOpenChallenge = () => new SignatureInvalidError({ reason: 'no open challenge matches the request' });

/** Every problem with a challenge gives the same error, which reveals nothing about other users' challenges. */
const requireOpen = (
  challenge: Challenge | undefined,
  {
    userSub,
    registrationId,
    address,
    origin,
    now,
  }: LinkWalletInput & { readonly registrationId: string; readonly now: number },
): Challenge => {
  const isOpen =
    challenge !== undefined &&
    challenge.userSub === userSub &&
    challenge.registrationId === registrationId &&
    challenge.address === address &&
    (origin === undefined || origin === challenge.origin) &&
    now < challenge.endsAt;
  if (!isOpen) throw noOpenChallenge();
  return challenge;
};

/** Who says that a signature is the wallet's: the recovered key, or the wallet's contract, whose owners can change. */
type Verifier = 'key' | 'contract';

/**
 * A signature that the wallet's key did not make may be that of an owner of the wallet's contract, whatever its length. A
 * challenge allows three attempts. The attempt is counted before the contract is queried. So even concurrent requests
 * cause at most three queries for one challenge.
 * @throws SignatureInvalidError, ChainUnavailableError
 */
const verifierOf = async (
  { challenges, contracts, clock }: Pick<LinkWalletDependencies, 'challenges' | 'contracts' | 'clock'>,
  { challenge, signature }: { readonly challenge: Challenge; readonly signature: Hex },
): Promise<Verifier> => {
  const { id, address, message, attempts } = challenge;
  const noAttemptLeft = () => new SignatureInvalidError({ reason: 'the challenge has no attempt left' });
  if (attempts >= attemptsAtMost) throw noAttemptLeft();
  const question = { address, hash: messageHash(message), signature };
  if (await isOfKey(question)) return 'key';
  if (!(await challenges.takeAttempt({ id, now: clock(), attemptsAtMost }))) throw noAttemptLeft();
  if (await contracts.isValid(question)) return 'contract';
  throw new SignatureInvalidError({ reason: 'it is not the wallet’s signature of this message' });
};

/**
 * The former user's wallets without the one that is moved to the new user. Empty if the former user's registration has
 * ended.
 */
const withoutWallet = async (
  wallets: Pick<Wallets, 'find'>,
  { holder, registrationId, address, freedAt }: Ownership,
): Promise<WalletChange['users']> => {
  const before = freedAt === undefined ? await wallets.find(holder) : undefined;
  if (before?.registrationId !== registrationId) return [];
  return [{ before, after: without(before, address) }];
};
