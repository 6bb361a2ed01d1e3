import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { DailyUse } from '../../../shared/nft/ports/daily-counts.ts';
import type { UserTokens } from '../../../shared/nft/ports/held-tokens.ts';
import { standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import { userOperationTypes } from '../../../shared/notifications/messages/message.ts';
import { dueEntry, effective } from '../../../shared/ott/events/effective.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import type { EventHistory, PastChange } from '../../../shared/ott/ports/event-history.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import type { ApplicationUserSubs } from '../../../shared/users/ports/application-user-subs.ts';
import type { Users } from '../../../shared/users/ports/users.ts';
import type { Wallets } from '../../../shared/wallets/ports/wallets.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import { countriesText } from '../../ott/why/why.ts';
import { quoted } from '../../platform/terminal/quoted.ts';
import { usageOf } from '../applications/usage.ts';
import { type SubjectDependencies, sentMoments } from './notification-moments.ts';
import { inTime, moment, type Timeline, unknown } from './timeline.ts';

export interface PeopleTimelineDependencies extends SubjectDependencies {
  readonly applications: Pick<Applications, 'find' | 'findByClientId' | 'findByApiKeyId'>;
  readonly catalogue: Pick<Catalogue, 'findStored'>;
  readonly eventHistory: EventHistory;
  readonly contracts: Pick<Contracts, 'list'>;
  readonly counts: DailyUse;
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration' | 'applicationOf' | 'registrationOf'>;
  readonly users: Pick<Users, 'trace'>;
  readonly userTokens: UserTokens;
  readonly wallets: Pick<Wallets, 'find' | 'ownershipOf'>;
}

/** What is stored about a user, except the user data itself, which only `users show` prints. */
export const findUser = async (
  { users, subs, wallets }: Pick<PeopleTimelineDependencies, 'users' | 'subs' | 'wallets'>,
  userSub: string,
): Promise<Timeline | undefined> => {
  const trace = await users.trace(userSub);
  if (trace === undefined) return undefined;
  const { registrationId, version, changedAt, isRemoved } = trace;
  const called = registrationId === undefined ? new Map() : await subs.ofRegistration(registrationId);
  const names = [...called.values()];
  const isFirst = version === 1 && !isRemoved;
  const stored = await wallets.find(holderOf(userSub));
  const linked = stored?.registrationId === registrationId ? (stored?.wallets ?? []) : [];
  return {
    kind: 'user',
    id: userSub,
    fields: {
      state: isRemoved ? 'removed' : 'registered',
      version,
      applications_that_know_it: names.map(({ applicationId }) => applicationId).join(', ') || 'none',
    },
    moments: [
      ...(isFirst
        ? []
        : [unknown('only the last change is recorded, not the time of registration or earlier changes')]),
      ...inTime([
        ...linked.map(({ address, linkedAt }) =>
          moment(new Date(linkedAt).toISOString(), `linked the wallet ${checksummed(address)}`),
        ),
        moment(
          changedAt,
          isRemoved ? 'removed' : isFirst ? 'registered' : `last changed, to version ${version}`,
        ),
      ]),
    ],
    related: names.flatMap(({ applicationId, applicationUserSub }) => [applicationUserSub, applicationId]),
    commands: isRemoved ? [] : [`users show ${quoted(userSub)}`],
  };
};

/** Finds a linked wallet by its address, and the user who linked it. */
export const findWallet = async (
  dependencies: Pick<PeopleTimelineDependencies, 'users' | 'subs' | 'wallets'>,
  address: Address,
): Promise<Timeline | undefined> => {
  const ownership = await dependencies.wallets.ownershipOf(address);
  if (ownership === undefined || ownership.freedAt !== undefined) return undefined;
  const { registrationId, holder, opensFrom } = ownership;
  const owner = await dependencies.wallets.find(holder);
  const wallet = owner?.wallets.find((each) => each.address === address);
  if (owner?.registrationId !== registrationId || wallet === undefined) return undefined;
  const user = await findUser(dependencies, owner.userSub);
  return {
    kind: 'wallet',
    id: checksummed(address),
    fields: { user: owner.userSub, user_is: user?.fields.state },
    moments: inTime([
      moment(new Date(wallet.linkedAt).toISOString(), 'linked by the user'),
      moment(
        new Date(opensFrom).toISOString(),
        'from this time on, tickets in this wallet give access to events',
      ),
    ]),
    related: [owner.userSub],
    commands: user?.commands ?? [],
  };
};

/** How many of the tokens that are reserved for a user, or claimed, are named. */
const newestTokens = 5;

/**
 * Finds the user and the application that an `application_user_sub` belongs to, and the tokens that the application has
 * reserved for the user.
 */
export const findApplicationUserSub = async (
  dependencies: Pick<PeopleTimelineDependencies, 'users' | 'subs' | 'wallets' | 'userTokens'> &
    SubjectDependencies,
  applicationUserSub: string,
): Promise<Timeline | undefined> => {
  const applicationId = await dependencies.subs.applicationOf(applicationUserSub);
  if (applicationId === undefined) return undefined;
  const registration = await dependencies.subs.registrationOf({ applicationId, applicationUserSub });
  const user = registration && (await findUser(dependencies, registration.userSub));
  const sent = await Promise.all(
    userOperationTypes
      // The identifier in a test notification belongs to no user.
      .filter((operationType) => operationType !== 'test')
      .map((operationType) => ({ operationType, applicationUserSub, dateTime: '' }))
      .map((message) => sentMoments(dependencies, { applicationId, message })),
  );
  const tokens = await dependencies.userTokens.list({
    applicationId,
    reservedFor: standInOf(applicationUserSub),
    limit: newestTokens,
  });
  return {
    kind: 'application_user_sub',
    id: applicationUserSub,
    fields: { application: applicationId, user: registration?.userSub, user_is: user?.fields.state },
    moments: [
      unknown('there is no record of when the application got this identifier'),
      ...inTime([
        ...(user?.moments ?? []),
        ...tokens.items.map(({ contract, tokenId, createdAt }) =>
          moment(createdAt, `token ${tokenId} of ${checksummed(contract)} was reserved`),
        ),
        ...sent.flat(),
      ]),
    ],
    related: [
      ...(registration === undefined ? [] : [registration.userSub]),
      applicationId,
      ...tokens.items.map(({ contract, tokenId }) => `${checksummed(contract)}/${tokenId}`),
    ],
    commands: user?.commands ?? [],
  };
};

const extended = (what: string, inFile: string | undefined): string =>
  inFile === undefined ? what : `${what}; was extended (the file has ${inFile})`;

/** When the file has an entry of the schedule that an extension has moved. */
const inFileIfMoved = ({ schedule, hand }: Event, index: number): string | undefined => {
  const inFile = hand.schedule && schedule?.[index]?.at;
  return inFile === hand.schedule?.[index]?.at ? undefined : inFile;
};

const statusText = (event: Event, now: number): string => {
  const { status: inFile, hand } = event;
  const { status } = effective(event, now);
  if (hand.status !== undefined && dueEntry(event, now) === undefined)
    return `${status}, set by hand (the file has ${inFile})`;
  return inFile === status ? status : `${status}, by its schedule (the file has ${inFile})`;
};

const changeMoment = ({ at, by, kind, fields, opens }: PastChange) =>
  moment(
    at,
    `${kind} by ${by}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}${opens.length === 0 ? '' : ` (opens: ${opens.join(', ')})`}`,
  );

export const findEvent = async (
  {
    catalogue,
    eventHistory,
    clock,
  }: Pick<PeopleTimelineDependencies, 'catalogue' | 'eventHistory' | 'clock'>,
  id: string,
): Promise<Timeline | undefined> => {
  const [stored, history] = await Promise.all([catalogue.findStored(id), eventHistory.of(id)]);
  const changes = history.map(changeMoment);
  if (stored === undefined) {
    if (changes.length === 0) return undefined;
    const fields = { state: 'deleted' };
    const commands = [`events history ${id}`];
    return { kind: 'event', id, fields, moments: inTime(changes.reverse()), related: [], commands };
  }
  const { event, version } = stored;
  const { endsAt: endInFile, hand } = event;
  const { title, access, categories, tickets, stream, schedule, startsAt, endsAt } = effective(
    event,
    clock(),
  );
  const until = stream?.availableUntil;
  const from = stream?.availableFrom;
  const timed = [
    moment(startsAt, 'starts'),
    ...(schedule ?? []).map(({ at, status }, index) =>
      moment(at, extended(`its schedule says ${status}`, inFileIfMoved(event, index))),
    ),
    ...(from === undefined ? [] : [moment(from, 'the stream becomes available')]),
    ...(endsAt === null ? [] : [moment(endsAt, extended('ends', hand.endsAt && (endInFile ?? undefined)))]),
    ...(until === undefined
      ? []
      : [
          moment(
            until,
            extended(
              'the stream is no longer available',
              hand.availableUntil && event.stream?.availableUntil,
            ),
          ),
        ]),
  ];
  return {
    kind: 'event',
    id,
    fields: {
      title,
      status: statusText(event, clock()),
      access,
      categories: categories.join(', '),
      countries: countriesText(event.geoblocking),
      tickets: tickets?.map(({ contractAddress }) => checksummed(contractAddress)).join(', '),
      stream: stream?.type,
      stream_countries: stream && countriesText(stream.geoblocking),
    },
    moments: [
      ...(version > changes.length
        ? [
            unknown(
              'the last 50 changes are recorded, and of earlier ones those that opened the event; the function’s log and CloudTrail show the others',
            ),
          ]
        : []),
      ...[...changes, ...timed].sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1)),
    ],
    related: [],
    commands: [`events show ${id}`, `events history ${id}`],
  };
};

const newestContracts = 5;

export const applicationTimeline = async (
  dependencies: Pick<PeopleTimelineDependencies, 'contracts' | 'counts' | 'clock'>,
  application: Application,
): Promise<Timeline> => {
  const { id, name, tier, audience, clientIds, apiKeyIds, signer } = application;
  const [usage, contracts] = await Promise.all([
    usageOf(dependencies, application),
    dependencies.contracts.list({ applicationId: id, limit: newestContracts }),
  ]);
  return {
    kind: 'customer',
    id,
    fields: {
      name,
      tier,
      audience,
      keys: apiKeyIds.length,
      clients: clientIds.join(', '),
      signer,
      contracts_today: `${usage.contracts} of ${usage.contractsPerDay}`,
      mints_today: `${usage.mints} of ${usage.mintsPerDay}`,
    },
    moments: [
      unknown('who changed the application and when is not recorded here, but CloudTrail shows it'),
      ...contracts.items
        .toReversed()
        .map((contract) => moment(contract.createdAt, `contract ${contract.name} was accepted`)),
    ],
    related: contracts.items.map(({ address }) => checksummed(address)),
    commands: [
      `applications show ${id}`,
      `applications usage ${id}`,
      `subscriptions list --application ${id}`,
    ],
  };
};

/** Finds an application by its id, by one of its OIDC clients, or by the id of one of its API keys. */
export const findApplication = async (
  dependencies: PeopleTimelineDependencies,
  text: string,
): Promise<Timeline | undefined> => {
  const { applications } = dependencies;
  const [byId, byClient, byKey] = await Promise.all([
    applications.find(text),
    applications.findByClientId(text),
    applications.findByApiKeyId(text),
  ]);
  const found = byId ?? byClient ?? byKey;
  return found && applicationTimeline(dependencies, found);
};
