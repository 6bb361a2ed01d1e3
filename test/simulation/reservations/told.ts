/** Judges what a token's history tells, and to whom: the promise that the history is what the answers said. */
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../../../shared/chain/hex.ts';
import type { Deed, DeedKind } from './deeds.ts';

/** An entry of a history, as a caller gets it. */
export interface Told {
  readonly at: string;
  readonly what: DeedKind;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly transaction_hash?: string;
  readonly status?: string;
}

export interface History {
  readonly known_from: string | null;
  readonly history: readonly Told[];
}

/** What a caller was told that a request has done. */
export interface AnsweredDeed {
  readonly what: DeedKind;
  readonly contract: Address;
  readonly tokenId: string;
  /** The identifier of the user, or the wallet. */
  readonly to?: string | undefined;
  /** When the request was sent for the first time, and when it was answered. */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** The largest difference between the true time and a process's clock. */
const clockMilliseconds = 30_000;
/** How long after its time a change may be written: a call that is executed late, of a process that was suspended. */
const lateMilliseconds = 15_000 + 90_000 + 30_000;

const isSent = ({ what, status }: Told): boolean =>
  what === 'minted' || what === 'claimed' || status !== undefined;
/** What is made while the token is reserved. Each is made to the version that the one before has left. */
const isOfReserved = ({ what, isSent: sent }: Pick<Deed, 'what' | 'isSent'>): boolean =>
  what === 'reserved' ||
  what === 'given' ||
  what === 'claimed' ||
  (!sent && (what === 'updated' || what === 'revoked'));
/** What changed a reserved token, and made it. */
export const isLine = (told: Told): boolean =>
  isOfReserved({ ...told, isSent: isSent(told) }) && !isSent(told);
const isOfChain = ({ what, isSent: sent }: Pick<Deed, 'what' | 'isSent'>): boolean =>
  sent && (what === 'updated' || what === 'revoked');
const isOfVoid = ({ what }: Pick<Deed, 'what'>): boolean => what === 'voided' || what === 'unvoided';

/** @param nameOf The name of a user's stand-in in the answer: `null` for who is not registered. */
export const mistakesInHistory = (
  { known_from: knownFrom, history }: History,
  {
    deeds,
    nameOf,
    clocksDiffer,
  }: {
    readonly deeds: readonly Deed[];
    readonly nameOf: (standIn: string) => string | null;
    readonly clocksDiffer: boolean;
  },
): string[] => {
  const told = history.map((one) => ({ ...one, isSent: isSent(one) }));
  const shown = (standIn: string | undefined) => (standIn === undefined ? undefined : nameOf(standIn));
  /** Who got it: a user, or the address to which it is to be minted, unless that failed. */
  const receiverOf = ({ what, to, hasFailed }: Deed) =>
    what === 'claimed' ? (hasFailed === true ? undefined : to) : shown(to);
  /** Where clocks differ, it need not be known who had a token when it was claimed without success. */
  const outline = ({
    what,
    from,
    to,
  }: {
    readonly what: string;
    readonly from?: unknown;
    readonly to?: unknown;
  }) => {
    const isUnsure = clocksDiffer && what === 'claimed' && to === undefined;
    const receiver = to === undefined ? '' : ` to ${String(to).toLowerCase()}`;
    return `${what}${from === undefined || isUnsure ? '' : ` from ${from}`}${receiver}`;
  };
  const compared = (
    name: string,
    isWanted: (one: Pick<Deed, 'what' | 'isSent'>) => boolean,
    isOrdered: boolean,
  ): string[] => {
    const tells = told.filter(isWanted).map(outline);
    const made = deeds
      .filter(isWanted)
      .map((deed) => outline({ what: deed.what, from: shown(deed.from), to: receiverOf(deed) }));
    const isSame = isOrdered
      ? isDeepStrictEqual(tells, made)
      : isDeepStrictEqual(tells.toSorted(), made.toSorted());
    return isSame
      ? []
      : [`${name} tells ${tells.join(', ') || 'nothing'} instead of ${made.join(', ') || 'nothing'}`];
  };
  const times = history.map(({ at }) => Date.parse(at));
  const first = deeds[0];
  return [
    ...compared('of its reservation', isOfReserved, !clocksDiffer),
    ...compared('of its lines', (one) => isOfReserved(one) && !one.isSent, true),
    ...compared('of voids', isOfVoid, true),
    ...compared('of the chain', isOfChain, false),
    ...(told.filter(({ what }) => what === 'minted').length ===
    deeds.filter(({ what }) => what === 'minted' || what === 'claimed').length
      ? []
      : [`tells ${told.filter(({ what }) => what === 'minted').length} mints`]),
    ...(times.some((time, index) => time < (times[index - 1] ?? 0)) ? ['its times go back'] : []),
    ...(history.some(({ status }) => status === 'pending') ? ['something stays pending'] : []),
    ...(knownFrom === null && first !== undefined ? ['does not say since when it is known'] : []),
    ...(knownFrom !== null && times.some((time) => time < Date.parse(knownFrom))
      ? ['tells of a time before it is known']
      : []),
    ...(first?.what === 'reserved' &&
    times[0] !== undefined &&
    Math.abs(times[0] - first.at) > clockMilliseconds + lateMilliseconds
      ? [`begins at ${history[0]?.at}`]
      : []),
  ];
};

/**
 * The part of a user: from each entry that brought the token to the user to the one that took it away. Other users are
 * null.
 */
export const ownPart = (history: readonly Told[], identifier: string): Told[] => {
  let isOwn = false;
  const name = (one: string | null | undefined): string | null =>
    one === identifier || (typeof one === 'string' && one.startsWith('0x')) ? one : null;
  return history.flatMap((entry) => {
    const { from, to } = entry;
    const isBrought = (entry.what === 'reserved' || entry.what === 'given') && to === identifier;
    const isTaken = entry.what === 'given' && from === identifier && to !== identifier;
    const isShown = isOwn || isBrought;
    isOwn = isBrought || (isOwn && !isTaken);
    if (!isShown) return [];
    return [
      {
        ...entry,
        ...(from !== undefined && { from: name(from) }),
        ...(to !== undefined && { to: name(to) }),
      },
    ];
  });
};

/** Whether the history has what a caller was told, in the time of the request. */
export const isTold = (
  { what, to, askedAt, answeredAt }: AnsweredDeed,
  {
    deeds,
    identifierOf,
  }: { readonly deeds: readonly Deed[]; readonly identifierOf: (standIn: string) => string },
): boolean => {
  const isBetween = ({ at }: Deed): boolean => askedAt <= at && at <= answeredAt;
  const brings = (deed: Deed): boolean =>
    (deed.what === 'given' || deed.what === 'reserved') &&
    deed.to !== undefined &&
    identifierOf(deed.to) === to;
  // A token that is the user's already is not given again.
  if (what === 'given') return deeds.some((deed) => brings(deed) && deed.at <= answeredAt);
  if (what === 'claimed')
    return deeds.some((deed) => deed.what === 'claimed' && deed.to === to && deed.at <= answeredAt);
  // The second revocation of a token, and the second void, change nothing.
  if (what !== 'updated') return deeds.some((deed) => deed.what === what && deed.at <= answeredAt);
  return deeds.some((deed) => deed.what === what && isBetween(deed));
};
