/**
 * Who holds a ticket of a collection at each instant, judged from the stored items and the chain alone, by the rules of
 * docs/customer-guide.md: a reserved token is held by its user; a claimed one too, as long as the chain has no such id;
 * from then on, the chain decides.
 */
import type { Address } from '../../../shared/chain/hex.ts';
import { burnFields } from '../../../shared/nft/tokens/gone.ts';
import type { SimulatedChain } from '../chain.ts';
import type { Item } from '../expressions.ts';
import type { Faults } from '../faults.ts';
import { environment as ott } from '../ott/service.ts';
import { stage } from '../service.ts';
import type { Store } from '../store.ts';
import { applicationUserSubOf, type SimulatedUser, userSubOf, walletOf } from './users.ts';

interface Ticketed {
  readonly user: SimulatedUser;
  readonly contract: Address;
}

interface HoldersOptions {
  readonly store: Store;
  readonly chain: SimulatedChain;
  readonly faults: Faults;
  readonly now: () => number;
  /** Called when somebody who is watched begins or ceases to hold a ticket. */
  readonly onChange: (holding: Holding) => void;
}

/** The state of one user and one collection. Times are those of the world. */
export class Holding {
  readonly of: Ticketed;
  isHeld = false;
  /** Until when the user may be let in. */
  heldUntil = Number.NEGATIVE_INFINITY;
  /**
   * The time since which the user must be let in because of the tables alone. `undefined` if the user need not be let
   * in.
   */
  sureByTablesSince: number | undefined;
  /** The time since which the user must be let in because of the tables and the chain. */
  sureSince: number | undefined;

  constructor(of: Ticketed) {
    this.of = of;
  }
}

/**
 * How old the newest block of an endpoint can be, if the endpoint lags, then stops following the chain, and then stays
 * on a fork.
 */
const staleMilliseconds = 300_000;

const eventsTable = ott.EVENTS_TABLE;

const isBurntIn = (token: Item): boolean =>
  burnFields.some(
    (field) => (token[field] as { readonly status?: unknown } | undefined)?.status === 'confirmed',
  );

export const createHolders = ({ store, chain, faults, now, onChange }: HoldersOptions) => {
  const watched = new Map<string, Holding>();
  /** The ids that any block has had. */
  const everMinted = new Set<string>();
  /** When each wallet last had a token of a collection. */
  const ownedAt = new Map<string, number>();
  let asked = 0;
  let isDoubtful = false;
  let hasDoubtEnded = false;
  let seen: unknown;
  /** Whether endpoints may have shown another chain than that of this moment. */
  const isChainDoubtful = (): boolean => {
    isDoubtful ||= faults.struck.slice(asked).some((fault) => /^(?:endpoint|chain|outsider):/.test(fault));
    asked = faults.struck.length;
    return isDoubtful && !hasDoubtEnded;
  };
  const ownersOf = (contract: Address) => chain.head().state.collections.get(contract)?.owners;
  const isRegistered = (user: SimulatedUser): boolean =>
    store.get({ TableName: stage.USERS_TABLE, Key: { user_sub: userSubOf(user) } }).Item?.is_removed ===
    false;
  const isLinked = (user: SimulatedUser): boolean =>
    store
      .items(stage.WALLETS_TABLE)
      .some(
        ({ user_sub: sub, wallets }) =>
          sub === userSubOf(user) &&
          (wallets as readonly { readonly address: string }[]).some(
            ({ address }) => address === walletOf(user),
          ),
      );
  const voidsOf = (contract: Address): ReadonlySet<string> => {
    const { Item } = store.get({ TableName: eventsTable, Key: { pk: `VOID#${contract}` } });
    return new Set(Object.keys((Item?.tokens as object | undefined) ?? {}));
  };
  const tokensOf = (contract: Address): Item[] =>
    store
      .items(stage.NFTS_TABLE)
      .filter(({ pk, status }) => status !== undefined && String(pk).endsWith(`#${contract}`));

  const judge = ({ of: { user, contract } }: Holding) => {
    if (!isRegistered(user)) return { isHeld: false, isSureByTables: false, isSure: false };
    const owners = ownersOf(contract);
    const voids = voidsOf(contract);
    const living = tokensOf(contract).filter(({ sk }) => !voids.has(String(Number(sk))));
    const own = living.filter(({ reservedFor }) => String(reservedFor).endsWith(applicationUserSubOf(user)));
    const isUnminted = ({ sk }: Item): boolean => owners?.has(BigInt(String(sk))) !== true;
    const reserved = own.filter(({ status }) => status === 'reserved');
    // Nothing decides the claim of a burnt token if tables have lost its entry.
    const pending = own.filter((token) => token.status === 'pending' && !isBurntIn(token));
    const isSureByTables = [
      ...reserved,
      ...pending.filter((token) => isUnminted(token) && !everMinted.has(`${contract} ${Number(token.sk)}`)),
    ].some((token) => burnFields.every((field) => token[field] === undefined));
    // Also of a token that tables have lost.
    const isOwned = [...(owners ?? [])].some(
      ([id, owner]) => owner === walletOf(user) && !voids.has(String(id)),
    );
    const isDoubted = isChainDoubtful();
    const lately = now() - staleMilliseconds;
    const isOwnedLately =
      isOwned || (isDoubted && (ownedAt.get(`${contract} ${walletOf(user)}`) ?? 0) > lately);
    const isOpen = isLinked(user);
    return {
      isHeld:
        reserved.length > 0 ||
        pending.some((token) => isDoubted || isUnminted(token)) ||
        (isOpen && isOwnedLately),
      isSureByTables,
      isSure: isSureByTables || (isOpen && isOwned && !isDoubted),
    };
  };

  const look = (known: Holding): void => {
    const { isHeld, isSureByTables, isSure } = judge(known);
    // The ticket was held until this moment, even if it is not held any more.
    if (isHeld || known.isHeld) known.heldUntil = now();
    const hasChanged = isHeld !== known.isHeld;
    known.isHeld = isHeld;
    known.sureByTablesSince = isSureByTables ? (known.sureByTablesSince ?? now()) : undefined;
    known.sureSince = isSure ? (known.sureSince ?? now()) : undefined;
    if (hasChanged) onChange(known);
  };

  const lookAt = (contract?: string): void => {
    for (const known of watched.values())
      if (contract === undefined || known.of.contract === contract) look(known);
  };
  store.watch(({ table, before, after }) => {
    const { pk, status } = after ?? before ?? {};
    if (table === stage.NFTS_TABLE && status !== undefined) lookAt(String(pk).split('#').at(-1));
    if (table === stage.USERS_TABLE || table === stage.WALLETS_TABLE || table === eventsTable) lookAt();
  });

  return {
    /** From now on, it is known whether this user holds a ticket of this collection. */
    watch: (of: Ticketed): Holding => {
      const name = `${userSubOf(of.user)} ${of.contract}`;
      const known = watched.get(name) ?? new Holding(of);
      watched.set(name, known);
      look(known);
      return known;
    },
    /** To be called after each block. */
    onBlock: (): void => {
      const { collections } = chain.head().state;
      for (const [contract, { owners }] of collections)
        for (const owner of owners.values()) ownedAt.set(`${contract} ${owner}`, now());
      if (collections === seen) return;
      seen = collections;
      for (const [contract, { owners }] of collections)
        for (const id of owners.keys()) everMinted.add(`${contract} ${id}`);
      lookAt();
    },
    look,
    lookAtAll: (): void => lookAt(),
    /** From now on, every endpoint shows the chain as it is. */
    endDoubt: (): void => {
      hasDoubtEnded = true;
    },
  };
};
