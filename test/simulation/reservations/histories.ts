/** Reads the histories of a world's tokens, and judges what they tell, and to whom. */
import { isDeepStrictEqual } from 'node:util';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { Store } from '../store.ts';
import { tokensIn } from '../stored.ts';
import { type Deeds, watchDeeds } from './deeds.ts';
import type { Readers } from './readers.ts';
import {
  type AnsweredDeed,
  type History,
  isLine,
  isTold,
  mistakesInHistory,
  ownPart,
  type Told,
} from './told.ts';

/** A user as an application knows the user. */
export interface Named {
  readonly userSub: string;
  readonly identifier: string;
}

interface HistoriesOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly readers: Readers;
  /** The registered users of an application. */
  readonly usersOf: (applicationId: string) => readonly Named[];
  /** The identifier in a stand-in. */
  readonly identifierOf: (standIn: string) => string;
  /** Whether the user of an identifier has been removed. */
  readonly isGone: (identifier: string) => boolean;
  readonly clocksDiffer: () => boolean;
  readonly onViolation: (what: string) => void;
}

export type Histories = ReturnType<typeof watchHistories>;

export const watchHistories = (options: HistoriesOptions) => {
  const { store, now, readers, usersOf, identifierOf, isGone, clocksDiffer, onViolation } = options;
  const deeds: Deeds = watchDeeds({ store, now });
  const answered: AnsweredDeed[] = [];
  const nameOf = (standIn: string): string | null => {
    const identifier = identifierOf(standIn);
    return isGone(identifier) ? null : identifier;
  };
  const complain = ({ contract, tokenId }: Pick<Nft, 'contract' | 'tokenId'>, what: string): void =>
    onViolation(`The history of token ${tokenId} of ${contract.slice(0, 8)} ${what}`);

  const checkOwn = async (token: Nft, { history }: History): Promise<void> => {
    for (const { userSub, identifier } of usersOf(token.applicationId)) {
      const own = await readers.ofUser(`history for ${userSub} of ${token.tokenId}`, { ...token, userSub });
      // Where clocks differ, a claim may be told on the wrong side of a gift.
      const surely = (all: readonly Told[]): readonly Told[] => (clocksDiffer() ? all.filter(isLine) : all);
      const wanted = surely(ownPart(history, identifier));
      if (own === undefined) {
        if (wanted.length > 0) complain(token, `is not shown to ${userSub}, who has had it`);
        continue;
      }
      const told = surely(own.history);
      if (!isDeepStrictEqual(told, wanted))
        complain(token, `tells ${userSub} ${JSON.stringify(told)} instead of ${JSON.stringify(wanted)}`);
    }
  };

  return {
    /** Whether a token has been claimed from a user, with or without success. */
    wasClaimedFrom: (
      { contract, tokenId }: Pick<Nft, 'contract' | 'tokenId'>,
      identifiers: readonly string[],
    ) =>
      deeds
        .of(contract, tokenId)
        .some(
          ({ what, from, isForNobody }) =>
            what === 'claimed' &&
            isForNobody !== true &&
            from !== undefined &&
            identifiers.includes(identifierOf(from)),
        ),
    /** Called when a request is answered that changes a token. */
    onAnswered: (deed: AnsweredDeed): void => void answered.push(deed),
    /** Somebody reads a history while everything goes on: it has each line that was written before, and names nobody who is gone. */
    look: async (task: string, token: Nft): Promise<void> => {
      const made = deeds.of(token.contract, token.tokenId);
      const gone = made
        .flatMap(({ from, to }) => [from, to])
        .filter((one) => one !== undefined && nameOf(one) === null)
        .map((one) => identifierOf(String(one)));
      const { history } = await readers.ofCustomer(task, token);
      for (const { from, to } of history) {
        for (const one of [from, to])
          if (typeof one === 'string' && gone.includes(one))
            complain(token, `names ${one}, who was removed before`);
      }
      for (const what of ['reserved', 'given', 'voided', 'unvoided'] as const) {
        const count = (all: readonly { readonly what: string }[]): number =>
          all.filter((one) => one.what === what).length;
        if (count(history) < count(made)) complain(token, `lacks that it was ${what}`);
      }
    },
    /** When all is quiet. */
    checkAll: async (): Promise<void> => {
      for (const token of tokensIn(store)) {
        const made = deeds.of(token.contract, token.tokenId);
        const history = await readers.ofCustomer(`history of ${token.contract} ${token.tokenId}`, token);
        for (const what of mistakesInHistory(history, { deeds: made, nameOf, clocksDiffer: clocksDiffer() }))
          complain(token, what);
        await checkOwn(token, history);
      }
      for (const deed of answered) {
        const made = deeds.of(deed.contract, deed.tokenId);
        if (!isTold(deed, { deeds: made, identifierOf }))
          complain(
            deed,
            `does not tell that it was ${deed.what}${deed.to === undefined ? '' : ` to ${deed.to}`}`,
          );
      }
    },
  };
};
