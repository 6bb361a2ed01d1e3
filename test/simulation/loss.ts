/** Tables that lose items, and the operator who brings them back: *Backup and restore* of the operator guide. */
import type { RestorableName } from '../../operator/stage/restore/tables.ts';
import type { Contract } from '../../shared/nft/collections/contract.ts';
import {
  collectionOf,
  collectionPartition,
  contractKey,
  counterKey,
  nftKey,
  nftOf,
} from '../../shared/nft/store/nft-items.ts';
import { burnFields } from '../../shared/nft/tokens/gone.ts';
import type { Nft } from '../../shared/nft/tokens/nft.ts';
import { type Entry, hashesOf, type LoggedEntry } from '../../shared/nft/transactions/entry.ts';
import type { Application } from '../../shared/platform/applications/application.ts';
import type { Item } from './expressions.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import { liveNames, restoreTables, together } from './restoring.ts';
import type { Scheduler } from './scheduler.ts';
import { type Service, stage } from './service.ts';
import type { Store } from './store.ts';
import { entryOf, markedIn, numberIn, returnedIn } from './stored.ts';
import { between, type Streams } from './streams.ts';

interface LossOptions {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly faults: Faults;
  readonly history: History;
  readonly store: Store;
  readonly service: Service;
  readonly applications: readonly Application[];
  readonly activeMilliseconds: number;
  /** Called at once when the items are gone. */
  readonly onLost: () => void;
}

/** Which items the tables of a world have lost, and what happened to them. */
export interface Loss {
  hasHappened(): boolean;
  /** Whether requests were repeated while their idempotency keys were lost. */
  hasForgottenKeys(): boolean;
  /** Whether the command has not ended yet. */
  isOpen(): boolean;
  /** Whether a token was recorded after the restored moment and before the loss, so that it may be gone for good. */
  isYoung(token: Nft): boolean;
  /** Whether a token was lost at first. It may be back. */
  wasLost(token: Pick<Nft, 'applicationId' | 'contract' | 'tokenId'>): boolean;
  /** Whether the royalty of a contract has changed in this time, or a token was revoked. */
  isChanged(of: Pick<Contract, 'applicationId' | 'address'> | Nft): boolean;
  /**
   * Whether tokens were minted into this contract before its counter of ids was restored, by a process that did not
   * know yet that mints are refused. Their ids may be those of tokens on the chain.
   */
  isDisturbed(contract: string): boolean;
  /** Whether a token that was reserved was revoked in this time, and may be reserved again. */
  hasReturned(token: Pick<Nft, 'applicationId' | 'contract' | 'tokenId'>): boolean;
  /**
   * How far the places that a contract's counter has as taken may be from those of its tokens, of which `used` has the
   * ids. `unsure`: of tokens that were reserved and revoked in this time, the place may be taken once more, or by another
   * one. `leaked`: places of what was lost for good. `countedAt`: if the counter was lost, the height of the final block
   * when the command counted.
   */
  placesOf(
    contract: Pick<Contract, 'applicationId' | 'address'>,
    used: ReadonlySet<string>,
  ): { readonly unsure: number; readonly leaked: number; readonly countedAt: number | undefined };
  /** Whether a claim of this token was recorded in this time. */
  isClaimYoung(claim: Pick<Nft, 'contract' | 'tokenId' | 'destination'>): boolean;
  /** The log's entries at the restored moment. */
  entriesAtMoment(): readonly LoggedEntry[];
  /** Whether a transaction was in the log before the loss. */
  wasLogged(hash: string): boolean;
  /**
   * Whether a process that was suspended recorded this after the loss with a nonce of before: one that is final, or,
   * until the command has ended, any.
   */
  isLate(entry: Pick<Entry, 'signer' | 'nonce'>): boolean;
}

const live = (name: (typeof together)[number]): string =>
  ({
    requests: liveNames.RequestsTable,
    contracts: liveNames.ContractsTable,
    nfts: liveNames.NftsTable,
    transactions: liveNames.TransactionsTable,
  })[name];

const earlier = (name: RestorableName): string => `${name} of the moment`;

const nameOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

const hashOf = (item: Item): string | undefined => hashesOf(entryOf(item))[0];

const claimName = ({
  contract,
  tokenId,
  destination,
}: Pick<Nft, 'contract' | 'tokenId' | 'destination'>): string => `${contract} ${tokenId} ${destination}`;

/** Everything that `startLoss` decides is drawn from one stream, before anything else happens. */
export const startLoss = ({
  scheduler,
  streams,
  faults,
  history,
  store,
  service,
  applications,
  activeMilliseconds,
  onLost,
}: LossOptions): Loss => {
  const random = streams.of('loss');
  /** Whether requests are refused only after the loss. */
  const isSudden = streams.of('sudden loss')() < 0.2;
  const young = new Set<string>();
  const changed = new Set<string>();
  const disturbed = new Set<string>();
  const returned = new Set<string>();
  /** Items of the table of tokens. */
  const lost = new Set<string>();
  const countedAt = new Map<string, number>();
  /** Tokens that were recorded after the moment. */
  const promised: Nft[] = [];
  /** Places that stayed taken when their marks were removed, by the counter's `pk`. */
  const kept = new Map<string, number>();
  const keep = (pk: string, count: number) => kept.set(pk, (kept.get(pk) ?? 0) + count);
  const youngClaims = new Set<string>();
  const hashes = new Set<string>();
  const late = new Set<string>();
  let state: 'none' | 'to come' | 'open' | 'over' = 'none';
  const hasHappened = (): boolean => state === 'open' || state === 'over';

  store.watch(({ table, before, after }) => {
    const isNew = before === undefined && after !== undefined;
    if (hasHappened() && table === stage.TRANSACTIONS_TABLE && isNew) {
      const { pk, sk, nonce } = after;
      const copy = store.get({ TableName: earlier('transactions'), Key: { pk, sk } }).Item;
      const signer = store.get({ TableName: stage.SIGNERS_TABLE, Key: { pk } }).Item;
      const isFinal = numberIn(signer, 'finalizedCount') > Number(nonce);
      const isBack = copy !== undefined && hashOf(copy) === hashOf(after);
      if (!isBack && (state === 'open' || isFinal)) late.add(`${pk} ${Number(nonce)}`);
    }
    if (state !== 'open' || table !== stage.NFTS_TABLE || after === undefined) return;
    const unmarked = markedIn(before) - markedIn(after);
    if (unmarked > 0 && before?.taken === after.taken) keep(String(after.pk), unmarked);
    // A waiter gives back the places of a mint's tokens that are there. Those of the lost ones stay taken.
    if (returnedIn(after) > returnedIn(before)) {
      const own = `${String(after.pk).replace('#counter', '')} `;
      const ofLost = [...lost].filter((name) => name.startsWith(own)).length;
      keep(String(after.pk), ofLost);
    }
    if (before !== undefined) return;
    const { pk, sk } = after;
    // The command's counters leave out many ids.
    if (sk === 'counter' && Number(after.tokens) < 100_000)
      disturbed.add(collectionOf(String(pk).replace('#counter', '')).contract);
    if (after.status !== 'pending') return;
    const restored = store.get({ TableName: earlier('nfts'), Key: { pk, sk } }).Item;
    if (restored?.nonce !== after.nonce) disturbed.add(collectionOf(pk).contract);
  });

  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => scheduler.at(scheduler.now() + milliseconds, resolve));

  /** Repeats what operators do until it succeeds. */
  const insist = async (
    what: string,
    act: (dependencies: Parameters<Parameters<Service['restore']['invoke']>[1]>[0]) => Promise<void>,
  ): Promise<void> => {
    for (let tried = 1; ; tried += 1) {
      try {
        await service.restore.invoke(`${what}, try ${tried}`, act);
        return;
      } catch (error) {
        history.say('operator', `${what} fails: ${String(error)}`);
        await sleep(between(streams.of(`operator, ${what}`), 1_000, 20_000));
      }
    }
  };

  const limit = (limits: Partial<Application['limits']>, when: string): Promise<unknown> =>
    Promise.all(
      applications.map((application) =>
        insist(`limits of ${application.id} ${when}`, async (dependencies) => {
          const known = await dependencies.applications.find(application.id);
          if (known === undefined) throw new Error(`There is no application ${application.id}`);
          await dependencies.applications.save({ ...known, limits: { ...application.limits, ...limits } });
        }),
      ),
    );

  /** Instances of functions remember limits for half a minute. */
  const refuseRequests = async (at: number): Promise<void> => {
    await sleep(at - scheduler.now());
    await limit({ mintsPerDay: 0, contractsPerDay: 0 }, 'to nothing');
    await sleep(44_000);
  };

  /** Some or all items of a table. */
  const lose = (table: string): void => {
    const isWhole = random() < 0.5;
    const names = new Set(
      store
        .items(table)
        .filter(() => isWhole || random() < 0.5)
        .map(nameOf),
    );
    for (const name of table === stage.NFTS_TABLE ? names : []) lost.add(name);
    history.say('world', `${table} loses ${isWhole ? 'everything' : `${names.size} items`}`);
    store.lose(table, (item) => names.has(nameOf(item)));
  };

  const happen = async (lossAt: number, restoredAfter: number): Promise<void> => {
    if (!isSudden) await refuseRequests(lossAt - 45_000);
    await sleep(Math.max(lossAt - scheduler.now(), 0));
    const changesOf = (item: Item): string =>
      JSON.stringify([item.royaltyChange, ...burnFields.map((field) => item[field])]);
    for (const name of ['contracts', 'nfts'] as const) {
      const before = new Map(store.items(earlier(name)).map((item) => [nameOf(item), changesOf(item)]));
      for (const item of store.items(live(name))) {
        if (before.get(nameOf(item)) !== changesOf(item)) changed.add(nameOf(item));
      }
    }
    const old = new Map(store.items(earlier('nfts')).map((item) => [nameOf(item), item]));
    for (const item of store.items(live('nfts'))) {
      const before = old.get(nameOf(item));
      if (before === undefined) young.add(nameOf(item));
      const isPromised = item.status !== undefined && item.status !== 'failed';
      if (before === undefined && isPromised) promised.push(nftOf(item));
      const isRevoked = item.status === 'failed' || burnFields.some((field) => item[field] !== undefined);
      if (before?.holder === undefined || !isRevoked) continue;
      returned.add(nameOf(item));
    }
    const oldEntries = new Set(store.items(earlier('transactions')).map(nameOf));
    for (const item of store.items(stage.TRANSACTIONS_TABLE)) {
      const { purpose } = entryOf(item);
      if (purpose.kind === 'claim' && !oldEntries.has(nameOf(item))) youngClaims.add(claimName(purpose));
      for (const { hash } of item.attempts as readonly { readonly hash: string }[]) hashes.add(hash);
    }
    state = 'open';
    const losing = together.filter(() => random() < 0.6);
    for (const name of losing.length === 0 ? together : losing) lose(live(name));
    // A lost signer begins again at once, with the nonces of what was lost.
    if (random() < 0.1 && !isSudden) lose(stage.SIGNERS_TABLE);
    onLost();

    await sleep(restoredAfter);
    if (isSudden) await refuseRequests(scheduler.now());
    await insist('restore', async (dependencies) => {
      const given = await restoreTables(dependencies, {
        sources: new Map(together.map((name) => [name, earlier(name)])),
        onCounted: (contract, height) =>
          countedAt.set(contract, Math.min(height, countedAt.get(contract) ?? height)),
      });
      history.say(
        'operator',
        `restored: ${Object.entries(given)
          .map(([how, { length }]) => `${length} ${how}`)
          .join(', ')}`,
      );
    });
    state = 'over';
    await limit({}, 'again');
  };

  if (faults.strike('tables: lose items', 'tables of the stage')) {
    state = 'to come';
    const startsAt = scheduler.now();
    const lossAt = between(random, 15_000, Math.max(20_000, activeMilliseconds)) + 45_000;
    const restoredAfter = between(random, 5_000, 60_000);
    scheduler.at(startsAt + between(random, 1_000, lossAt), () => {
      history.say('world', 'this is the moment to which tables will be restored');
      for (const name of together) store.copy(live(name), earlier(name));
    });
    void happen(startsAt + lossAt, restoredAfter);
  }

  return {
    hasHappened,
    hasForgottenKeys: () => isSudden && hasHappened(),
    isOpen: () => state === 'to come' || state === 'open',
    isDisturbed: (contract) => disturbed.has(contract),
    isChanged: (of) => changed.has(nameOf('tokenId' in of ? nftKey(of) : contractKey(of))),
    hasReturned: (token) => returned.has(nameOf(nftKey(token))),
    placesOf: ({ applicationId, address: contract }, used) => {
      const unsure = [...returned].filter((name) =>
        name.startsWith(`${collectionPartition({ applicationId, contract })} `),
      );
      const counter = counterKey({ applicationId, contract });
      // The command counts anew the tokens of a lost counter, and keeps the places taken that were marked at the moment.
      const ofLost = lost.has(nameOf(counter))
        ? markedIn(store.get({ TableName: earlier('nfts'), Key: counter }).Item)
        : promised.filter((token) => token.contract === contract && !used.has(token.tokenId)).length;
      const leaked = ofLost + (kept.get(counter.pk) ?? 0);
      return { unsure: unsure.length, leaked, countedAt: countedAt.get(contract) };
    },
    isClaimYoung: (claim) => youngClaims.has(claimName(claim)),
    isYoung: (token) => young.has(nameOf(nftKey(token))),
    wasLost: (token) => lost.has(nameOf(nftKey(token))),
    entriesAtMoment: () => store.items(earlier('transactions')).map(entryOf),
    wasLogged: (hash) => hashes.has(hash),
    isLate: ({ signer, nonce }) => late.has(`${signer} ${nonce}`),
  };
};
