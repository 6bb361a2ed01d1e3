/** What is stored, parsed. */
import { nftOf, contractOf as parseContract } from '../../shared/nft/store/nft-items.ts';
import { isMark } from '../../shared/nft/store/supplies.ts';
import { parseEntry } from '../../shared/nft/store/transaction-items.ts';
import type { LoggedEntry } from '../../shared/nft/transactions/entry.ts';
import type { Item } from './expressions.ts';
import { stage } from './service.ts';
import type { Store } from './store.ts';

/** Items never change, so each is parsed once. */
const once = <Parsed>(parse: (item: Item) => Parsed): ((item: Item) => Parsed) => {
  const known = new WeakMap<Item, Parsed>();
  return (item) => {
    const parsed = known.get(item) ?? parse(item);
    known.set(item, parsed);
    return parsed;
  };
};

export const entryOf = once((item) => parseEntry({ ...item }));
const tokenOf = once((item) => nftOf({ ...item }));
const contractOf = once((item) => parseContract({ ...item }));

export const entriesIn = (store: Store): LoggedEntry[] => store.items(stage.TRANSACTIONS_TABLE).map(entryOf);

/** Returns the stored tokens, without the counters of token ids in the same table. */
export const tokensIn = (store: Store) =>
  store
    .items(stage.NFTS_TABLE)
    .filter(({ status }) => status !== undefined)
    .map(tokenOf);

export const contractsIn = (store: Store) => store.items(stage.CONTRACTS_TABLE).map(contractOf);

export const numberIn = (item: Item | undefined, name: string): number => Number(item?.[name] ?? 0);

/** Of how many failed mints the places were given back to the limited supply, by the counter of its token ids. */
export const returnedIn = (counter: Item | undefined): number =>
  counter?.returned instanceof Set ? counter.returned.size : 0;

/** How many places of a limited supply requests have marked as theirs, in the counter of its token ids. */
export const markedIn = (counter: Item | undefined): number =>
  Object.keys(counter ?? {})
    .filter(isMark)
    .reduce((sum, mark) => sum + Number(mark.split('#')[2]), 0);

export const nameOf = ({ signer, nonce, purpose, status }: LoggedEntry): string =>
  `nonce ${nonce} of ${signer.slice(-2)} (${purpose.kind}, ${status})`;
