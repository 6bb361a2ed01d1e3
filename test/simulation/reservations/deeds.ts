/** What happened to each token, as the tables were written: this is what its history must tell. */
import type { Address } from '../../../shared/chain/hex.ts';
import { nobody } from '../../../shared/nft/reservations/stand-in.ts';
import { collectionOf } from '../../../shared/nft/store/nft-items.ts';
import { isKnownEntry } from '../../../shared/nft/transactions/entry.ts';
import { type ByKind, byKind, isUpdate, type UpdateKind } from '../../../shared/nft/transactions/purpose.ts';
import type { Item } from '../expressions.ts';
import { environment as ott } from '../ott/service.ts';
import type { Written } from '../past.ts';
import { stage } from '../service.ts';
import type { Store } from '../store.ts';
import { entryOf } from '../stored.ts';

export type DeedKind =
  | 'reserved'
  | 'given'
  | 'updated'
  | 'claimed'
  | 'minted'
  | 'revoked'
  | 'voided'
  | 'unvoided';

export interface Deed {
  readonly what: DeedKind;
  /** When it was written. */
  readonly at: number;
  /** Whether a transaction on the chain does it. */
  readonly isSent: boolean;
  /** Stand-ins of users, or the address to which the token is minted. */
  readonly from?: string;
  readonly to?: string;
  /** Whether it was a claim of a token whose user was removed before. */
  readonly isForNobody?: boolean;
  /** Whether it was a claim that has failed. */
  hasFailed?: boolean;
}

const isToken = ({ status }: Item): boolean => status !== undefined;

/** The deed that changes a reserved token, or makes a token, with no regard to the log. */
const deedOf = (before: Item | undefined, after: Item): Omit<Deed, 'at'> | undefined => {
  const to = String(after.destination);
  if (before === undefined)
    return after.status === 'reserved'
      ? { what: 'reserved', isSent: false, to }
      : { what: 'minted', isSent: true, to };
  if (before.status !== 'reserved' || before.version === after.version) return undefined;
  const from = String(before.reservedFor);
  if (after.status === 'pending')
    return { what: 'claimed', isSent: true, from, to, isForNobody: after.reservedFor === nobody };
  if (after.status === 'failed') return { what: 'revoked', isSent: false };
  // The user was removed.
  if (after.reservedFor === nobody) return undefined;
  return before.reservedFor === after.reservedFor
    ? { what: 'updated', isSent: false }
    : { what: 'given', isSent: false, from, to: String(after.reservedFor) };
};

/** The ids from `from` on. */
const idsFrom = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(Number(from) + index));

/** What a change on the chain does to which tokens. */
const changes: ByKind<{ readonly what: DeedKind; readonly ids: readonly string[] } | undefined, UpdateKind> =
  {
    'update-metadata': ({ from, to }) => ({
      what: 'updated',
      ids: idsFrom(from, Number(to) - Number(from) + 1),
    }),
    'update-contract-metadata': () => undefined,
    'set-royalty': () => undefined,
    revoke: ({ tokenId }) => ({ what: 'revoked', ids: [tokenId] }),
  };

export type Deeds = ReturnType<typeof watchDeeds>;

export const watchDeeds = ({ store, now }: { readonly store: Store; readonly now: () => number }) => {
  const deeds = new Map<string, Deed[]>();
  const nameOf = (contract: string, tokenId: string): string => `${contract} ${tokenId}`;
  const add = (contract: string, tokenId: string, deed: Omit<Deed, 'at'>): void => {
    const name = nameOf(contract, tokenId);
    deeds.set(name, [...(deeds.get(name) ?? []), { ...deed, at: now() }]);
  };

  const onToken = ({ before, after }: Written): void => {
    if (after === undefined || !isToken(after)) return;
    const { contract } = collectionOf(after.pk);
    const tokenId = String(Number(after.sk));
    if (before?.status === 'pending' && after.status === 'reserved') {
      const claim = deeds.get(nameOf(contract, tokenId))?.findLast(({ what }) => what === 'claimed');
      if (claim !== undefined) claim.hasFailed = true;
    }
    const deed = deedOf(before, after);
    if (deed !== undefined) add(contract, tokenId, deed);
  };
  /** A change of a token on the chain. An entry that supersedes another is no new change. */
  const onEntry = ({ before, after }: Written): void => {
    if (before !== undefined || after === undefined) return;
    const entry = entryOf(after);
    if (!isKnownEntry(entry) || entry.supersedes !== undefined) return;
    const { purpose } = entry;
    if (!isUpdate(purpose)) return;
    const changed = byKind(changes, purpose);
    if (changed === undefined) return;
    for (const id of changed.ids) add(purpose.contract, id, { what: changed.what, isSent: true });
  };
  const onVoids = ({ before, after }: Written): void => {
    const [kind, contract = ''] = String((after ?? before)?.pk).split('#');
    if (kind !== 'VOID') return;
    const idsIn = (item: Item | undefined): string[] =>
      Object.keys((item?.tokens as object | undefined) ?? {});
    const [then, since] = [new Set(idsIn(before)), new Set(idsIn(after))];
    for (const id of since) if (!then.has(id)) add(contract, id, { what: 'voided', isSent: false });
    for (const id of then) if (!since.has(id)) add(contract, id, { what: 'unvoided', isSent: false });
  };
  store.watch((written) => {
    if (written.table === stage.NFTS_TABLE) onToken(written);
    if (written.table === stage.TRANSACTIONS_TABLE) onEntry(written);
    if (written.table === ott.EVENTS_TABLE) onVoids(written);
  });

  return {
    of: (contract: Address, tokenId: string): readonly Deed[] => deeds.get(nameOf(contract, tokenId)) ?? [],
  };
};
