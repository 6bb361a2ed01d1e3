import type { Address } from '../../../shared/chain/hex.ts';
import { applicationUserSubOf as identifierOf } from '../../../shared/nft/reservations/stand-in.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { watchHistories } from '../reservations/histories.ts';
import { clocksDifferIn } from '../reservations/join-histories.ts';
import { createReaders } from '../reservations/readers.ts';
import { stage } from '../service.ts';
import { contractsIn } from '../stored.ts';
import { origin } from '../wallets/service.ts';
import { type JoinedWorld, worldsOfRequests } from '../world.ts';
import { createActs } from './acts.ts';
import { mistakesInCopies } from './exports.ts';
import { watchLimits } from './limits.ts';
import { createPeople, type Registration } from './people.ts';
import { readableInLog, stillReadable } from './readable.ts';
import { createAccounts } from './service.ts';
import { type AccountsWorkload, createAccountsWorkload } from './workload.ts';

const minute = 60_000;
const tables = [
  'Applications',
  'Contracts',
  'Nfts',
  'Transactions',
  'Signers',
  'Requests',
  'TokenHistory',
  'Users',
  'ApplicationUserSubs',
  'Wallets',
  'Notifications',
  'Endpoints',
  'Events',
  'Sessions',
  'Grants',
] as const;

const joinAccounts = (world: JoinedWorld<AccountsWorkload>) => {
  const { scheduler, history, startsAt, store, workload, applications, onViolation, isAsked, sleep } = world;
  const people = createPeople({ store, now: scheduler.now, onViolation });
  const limits = watchLimits({ store, changesPerHour: workload.changesPerHour, onViolation });
  const histories = watchHistories({
    store,
    now: scheduler.now,
    readers: createReaders(world),
    usersOf: (applicationId) =>
      people.all().flatMap(({ userSub, identifiers, endedAt }) => {
        const identifier = identifiers.get(applicationId);
        const isCurrent = endedAt === undefined && people.current(userSub)?.identifiers === identifiers;
        return identifier === undefined || !isCurrent ? [] : [{ userSub, identifier }];
      }),
    identifierOf: (standIn) => identifierOf(standIn as Address),
    isGone: people.isGone,
    clocksDiffer: clocksDifferIn(world),
    onViolation,
  });
  for (const { id } of applications) {
    const application = anApplication({
      ...applications.find((one) => one.id === id),
      clientIds: [`client-${id}`],
      wallets: { origins: [origin] },
    });
    store.put({ TableName: stage.APPLICATIONS_TABLE, Item: { pk: `APPLICATION#${id}`, ...application } });
    store.put({
      TableName: stage.APPLICATIONS_TABLE,
      Item: { pk: `CLIENT#client-${id}`, application_id: id },
    });
  }
  const onLog = (message: string, fields: object): void => {
    for (const what of people.all().flatMap((one) => readableInLog(one, { message, fields })))
      onViolation(what);
  };
  const accounts = createAccounts({
    ...world,
    onLog,
    changesPerHour: workload.changesPerHour,
    onGivenUp: (removals) => onViolation(`${removals} removals were given up`),
  });
  const acts = createActs({ ...world, accounts, people, histories, limits });

  let open = 0;
  const counted = (work: () => Promise<void>): void => {
    open += 1;
    void work()
      .catch((error: unknown) =>
        onViolation(`A caller fails: ${error instanceof Error ? error.stack : error}`),
      )
      .finally(() => {
        open -= 1;
      });
  };
  const ids = applications.map(({ id }) => id);
  for (let fan = 1; fan <= workload.fans; fan += 1)
    scheduler.at(startsAt + 6_000, () => counted(() => acts.begin(fan, ids)));
  for (const action of workload.actions) {
    if (isAsked(`action ${action.id}`))
      scheduler.at(startsAt + action.at, () => counted(() => acts.act(action)));
  }

  const unfinished = (): string[] => [
    ...(open > 0 ? ['what callers do'] : []),
    ...(accounts.removals.isRead() ? [] : ['ends of registrations in the stream']),
    ...accounts.notifications.unfinishedWork(),
  ];
  const quiet = async (): Promise<void> => {
    for (let waited = 0; unfinished().length > 0 && waited < 40; waited += 1) await sleep(minute / 2);
  };
  return {
    onLost: () => {},
    onLog,
    onDeed: histories.onAnswered,
    holderOf: (reservedFor: unknown, { contract }: { readonly contract: `0x${string}` }) =>
      people.holderOf(reservedFor, contract),
    unfinished,
    comeToRest: async (): Promise<void> => {
      await quiet();
      if (accounts.notifications.failedChanges.bodies().length > 0) {
        await accounts.redrive('redrive');
        await quiet();
      }
      history.say('world', 'all is quiet');
    },
    checkAll: async (): Promise<void> => {
      const wasClaimed = (token: Pick<Nft, 'contract' | 'tokenId'>, { identifiers }: Registration): boolean =>
        histories.wasClaimedFrom(token, [...identifiers.values()]);
      const contracts = contractsIn(store).map(({ address }) => address);
      const stored = Object.fromEntries(tables.map((table) => [table, store.items(table)]));
      for (const what of people
        .all()
        .flatMap((one) => stillReadable(one, { ...people, tables: stored, contracts, wasClaimed })))
        onViolation(what);
      await histories.checkAll();
      for (const what of await mistakesInCopies({ accounts, people })) onViolation(what);
    },
  };
};

/** Worlds of users who change their data, link wallets, get, claim and lose tokens, leave, and come back. */
export const runWorld = worldsOfRequests('accounts', createAccountsWorkload, joinAccounts);
