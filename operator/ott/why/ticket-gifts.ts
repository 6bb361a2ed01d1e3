import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import type { Line } from '../../../shared/nft/history/line.ts';
import { type RegisteredDependencies, registeredOf } from '../../../shared/nft/history/registered.ts';
import type { HeldTokens } from '../../../shared/nft/ports/held-tokens.ts';
import type { HistoryLines } from '../../../shared/nft/ports/history-lines.ts';
import { applicationUserSubOf, standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import type { NftKey } from '../../../shared/nft/tokens/nft.ts';
import type { ContractApplications } from '../../../shared/ott/ports/contract-applications.ts';
import type { ApplicationUserSubs } from '../../../shared/users/ports/application-user-subs.ts';

export interface TicketGiftsDependencies extends RegisteredDependencies {
  readonly lines: HistoryLines;
  readonly subs: Pick<ApplicationUserSubs, 'find' | 'registrationsOf'>;
  readonly tokens: Pick<HeldTokens, 'find'>;
  readonly contracts: ContractApplications;
}

interface Person {
  readonly userSub: string;
  readonly registrationId: string;
}

/** How many of the newest lines of a token are searched, and how many tokens are named that a user has given away. */
const linesAtMost = 100;
const giftsAtMost = 10;

const dayText = (at: number): string => new Date(at).toISOString();

const nameOf = async (
  dependencies: TicketGiftsDependencies,
  { applicationId, standIn }: { readonly applicationId: string; readonly standIn: Address },
): Promise<string> =>
  (await registeredOf(dependencies, { applicationId, standIns: [standIn] })).has(standIn)
    ? applicationUserSubOf(standIn)
    : 'a user who is not registered any more';

const lastGift = async (
  { lines }: Pick<TicketGiftsDependencies, 'lines'>,
  token: Pick<NftKey, 'contract' | 'tokenId'>,
  isWanted: (given: NonNullable<Line['given']>) => boolean,
): Promise<{ readonly at: number; readonly from: Address; readonly to: Address } | undefined> => {
  const found = await lines.ofToken({ ...token, limit: linesAtMost });
  const last = found.lines.findLast(({ given }) => given !== undefined && isWanted(given));
  return last?.given && { at: last.at, ...last.given };
};

/** How the user has got a ticket that is reserved for the user. `undefined` if nothing is told of a gift. */
export const howGot = async (
  dependencies: TicketGiftsDependencies,
  { token, userSub, registrationId }: Person & { readonly token: NftKey },
): Promise<string | undefined> => {
  const { applicationId } = token;
  const sub = await dependencies.subs.find({ registrationId, applicationId });
  const standIn = sub && standInOf(sub.applicationUserSub);
  const gift = await lastGift(dependencies, token, ({ to }) => to === standIn);
  return (
    gift &&
    `it was given to ${userSub} on ${dayText(gift.at)}; until then reserved for ${await nameOf(dependencies, { applicationId, standIn: gift.from })}`
  );
};

const givenAwayIn = async (
  dependencies: TicketGiftsDependencies,
  { contract, userSub, registrationId }: Person & { readonly contract: Address },
): Promise<readonly string[]> => {
  const applicationId = await dependencies.contracts.applicationOf(contract);
  if (applicationId === undefined) return [];
  const sub = await dependencies.subs.find({ registrationId, applicationId });
  if (sub === undefined) return [];
  const giver = standInOf(sub.applicationUserSub);
  const gifts = await dependencies.lines.givenBy({ giver, limit: linesAtMost });
  const ids = [...new Set(gifts.filter((each) => each.contract === contract).map(({ tokenId }) => tokenId))];
  const told = await Promise.all(
    ids.slice(0, giftsAtMost).map(async (tokenId) => {
      const token = { applicationId, contract, tokenId };
      // The user may have got it back.
      if ((await dependencies.tokens.find(token))?.reservedFor === giver) return [];
      const gift = await lastGift(dependencies, token, ({ from }) => from === giver);
      if (gift === undefined) return [];
      const receiver = await nameOf(dependencies, { applicationId, standIn: gift.to });
      return [
        `token ${tokenId} of ${checksummed(contract)} was given to ${receiver} on ${dayText(gift.at)}; until then reserved for ${userSub}`,
      ];
    }),
  );
  return told.flat();
};

/** One sentence for each ticket of these contracts that was reserved for the user, and that another user has got. */
export const givenAway = async (
  dependencies: TicketGiftsDependencies,
  { contracts, ...person }: Person & { readonly contracts: readonly Address[] },
): Promise<readonly string[]> =>
  (await Promise.all(contracts.map((contract) => givenAwayIn(dependencies, { ...person, contract })))).flat();
