import { failsForDaysMilliseconds } from '../../../shared/notifications/endpoints/watch-endpoints.ts';
import { counted } from '../../platform/terminal/counted.ts';
import { type AlarmSection, alarmCommands, triesServices } from './alarm-commands.ts';
import { uncalledMilliseconds } from './ask-services.ts';
import { subjectsText } from './endpoints-now.ts';
import type { panelsOf } from './stage-now.ts';

export type Panels = ReturnType<typeof panelsOf>;
type Read<Panel extends Part> = Awaited<ReturnType<Panels[Panel]>>;

/** The last readings of a stage. `failures` has the reason for each part that could not be read. */
export interface Readings {
  readonly signers?: Read<'signers'> | undefined;
  readonly notifications?: Read<'notifications'> | undefined;
  readonly services?: Read<'services'> | undefined;
  readonly alarms?: Read<'alarms'> | undefined;
  readonly failures: Readonly<Partial<Record<Part, string>>>;
}

export const parts = ['signers', 'notifications', 'services', 'alarms'] as const;
export type Part = (typeof parts)[number];

/** One problem that the verdict reports. */
export interface Problem {
  /** The beginning of a sentence. If `since` is given, "since …" or "for …" can follow. */
  readonly what: string;
  /** What the problem means, and for whom: the end of that sentence, or for an alarm a sentence of its own. */
  readonly meaning: string;
  /** ISO 8601. */
  readonly since: string | undefined;
  /** The section of docs/runbook.md about the problem, as a URL fragment. */
  readonly runbook: string | undefined;
  /** A complete command that shows more about the problem, or solves it. `undefined` if no command does. */
  readonly command: string | undefined;
}

export interface Verdict {
  readonly summary: string;
  readonly problems: readonly Problem[];
  /**
   * Alarms that are still on although the readings show that their problem is solved. Their metrics cover past minutes.
   */
  readonly ending: readonly string[];
  /** A sentence that says what the readings do not show. */
  readonly unknown?: string;
}

/** The sentence for a stage without alarms. It lists the problems that only alarms report. */
const withoutAlarms =
  'This stage has no alarms: whether its functions, tables and APIs fail, are slow or are throttled is not known.';

/** The meaning of a problem as the end of its sentence, or as the next sentence. */
export const sentenceEnd = (meaning: string): string =>
  `${meaning.startsWith('so ') ? ', ' : ': '}${meaning.replace(/\.$/, '')}.`;

/**
 * The lower the weight, the worse the problem. `whatSince` replaces `what` if `since` is known. Alarms that name one of
 * the sections `covers` or `runbook` of docs/runbook.md report the same problem.
 */
type Weighed = Problem & {
  readonly weight: number;
  readonly whatSince?: string;
  readonly covers?: readonly AlarmSection[];
};

/** A problem that the readings show. An alarm about it has a section of its own in the runbook. */
type Found = Weighed & { readonly runbook: AlarmSection | typeof editorsKey | undefined };

/** The alarm on unfinished transactions goes off at this age. */
const oldSeconds = 600;
const waits = 'the-oldest-transaction-waits';
/** The section about a problem that no alarm reports. */
export const editorsKey = 'an-editors-key-changes-many-events';

const ofSigner = (signer: Read<'signers'>[number], now: number): Found[] => {
  const { signer: number, stuck, undecided, head_nonce: nonce, head_age_seconds: age = 0 } = signer;
  const { unfinished_age_seconds: unfinishedAge = 0 } = signer;
  const found: Found[] = [];
  if (signer.funds === 'none') {
    found.push({
      weight: 0,
      what: `signer ${number} has no coins`,
      whatSince: `signer ${number} has had no coins`,
      meaning: 'so all mint requests of its applications, and claims of their users, get 503',
      since: signer.funds_low_since,
      runbook: 'funds',
      command: 'signers',
    });
  }
  if (stuck) {
    found.push({
      weight: 1,
      what: `signer ${number} has been stuck at nonce ${nonce}`,
      meaning: `so ${counted(undecided, 'transaction')} of its applications ${undecided === 1 ? 'waits' : 'wait'}${signer.at_ceiling ? ': gas on the chain costs more than the fee ceiling' : ''}`,
      since: new Date(now - age * 1_000).toISOString(),
      runbook: signer.at_ceiling ? 'fees' : waits,
      covers: [waits],
      command: `transactions show ${nonce} --signer ${number}`,
    });
  } else if (unfinishedAge >= oldSeconds) {
    found.push({
      weight: 1,
      what: `the oldest transaction of signer ${number} has not been final`,
      meaning: 'so customers see it, and the transactions behind it, as pending',
      since: new Date(now - unfinishedAge * 1_000).toISOString(),
      runbook: waits,
      command: `transactions list --signer ${number}`,
    });
  }
  if (signer.funds === 'low') {
    found.push({
      weight: 6,
      what: `signer ${number} has a low balance`,
      whatSince: `signer ${number} has had a low balance`,
      meaning: 'so mint requests from its applications will get 503 when the signer has spent its coins',
      since: signer.funds_low_since,
      runbook: 'funds',
      command: 'signers',
    });
  }
  return found;
};

const ofSigners = (signers: Read<'signers'>, now: number): Found[] => {
  const found = signers.flatMap((signer) => ofSigner(signer, now));
  if (signers.length === 0 || signers.some(({ balance }) => balance !== undefined)) return found;
  return [
    {
      weight: 0,
      what: 'no RPC endpoint answers',
      meaning: 'so no token can be minted, and balances are unknown',
      since: undefined,
      runbook: 'no-rpc-endpoint-answers',
      command: triesServices,
    },
    ...found,
  ];
};

/** The readings have no signer whose key does not answer, and nothing of its transactions. */
const ofUnreadKeys = (unread: number): Found[] => {
  if (unread === 0) return [];
  const isOne = unread === 1;
  return [
    {
      weight: 0,
      what: isOne ? 'the key of 1 signer cannot be read' : `the keys of ${unread} signers cannot be read`,
      whatSince: isOne
        ? 'the key of 1 signer has been unreadable'
        : `the keys of ${unread} signers have been unreadable`,
      meaning: `so nobody can mint into ${isOne ? 'its' : 'their'} collections, and the state of ${isOne ? 'its' : 'their'} transactions is not shown here`,
      since: undefined,
      runbook: 'a-key-cannot-be-used',
      command: 'signers',
    },
  ];
};

/** What an endpoint did. The reason of its last failure begins with a status if the endpoint answered. */
const refusalText = (reason: string | undefined): string => {
  const status = /^\d{3}(?=:|$)/.exec(reason ?? '')?.[0];
  if (status !== undefined) return `answered ${status}`;
  return reason === undefined || reason === '' ? 'not answered' : `not answered (${reason})`;
};

/** Whether an endpoint has failed for so long that the alarm about it is on. */
const failsForDays = (since: string | undefined, now: number): boolean =>
  since !== undefined && Date.parse(since) <= now - failsForDaysMilliseconds;

const ofNotifications = (
  { failing, undelivered, failed_changes: failedChanges }: Read<'notifications'>,
  now: number,
): Found[] => [
  ...(failedChanges === 0
    ? []
    : [
        {
          weight: 2,
          what: `${counted(failedChanges, 'change was', 'changes were')} not published`,
          whatSince: `${counted(failedChanges, 'change has', 'changes have')} not been published`,
          meaning: 'so customers are not notified of them until an operator runs failed-changes redrive',
          since: undefined,
          runbook: 'failed-changes',
          command: 'failed-changes list',
        } satisfies Found,
      ]),
  ...failing.map(
    ({ application: applicationId, endpoint, failing_since: since, last_failure: reason }): Found => ({
      weight: 4,
      what: `${applicationId}'s endpoint ${endpoint} has ${refusalText(reason)}`,
      meaning: `so ${applicationId} gets no notifications there`,
      since,
      runbook: failsForDays(since, now) ? 'endpoints-fail-for-days' : 'deliveries-fail',
      covers: ['deliveries-fail', 'dead-letters'],
      command: `subscriptions list --failing --application ${applicationId}`,
    }),
  ),
  // While an endpoint is sent everything that it missed, the operator has nothing to do.
  ...undelivered
    .filter(({ fails, state }) => !fails && state !== 'replaying')
    .map(
      ({ application: applicationId, endpoint, state, subjects, since }): Found => ({
        weight: 5,
        what: `${applicationId}'s endpoint ${endpoint} has not accepted notifications about ${subjectsText(subjects)}`,
        meaning:
          state === 'paused'
            ? 'so they are sent again only by a replay of what failed'
            : 'so they are sent again by themselves',
        since,
        runbook: state === 'paused' ? 'redelivery-is-paused' : 'dead-letters',
        covers: ['dead-letters'],
        command: `dead-letters list --application ${applicationId}`,
      }),
    ),
];

const services: Readonly<Record<string, Pick<Problem, 'meaning'> & { readonly runbook: AlarmSection }>> = {
  entitlement: {
    meaning: 'so nobody can play paid streams, and VIPs see only the events that everyone sees',
    runbook: 'the-entitlement-service-is-down',
  },
  geolocation: {
    meaning: 'so calls for events with a country rule get a 503, and lists omit these events',
    runbook: 'the-geolocation-service-is-down',
  },
};

/** The time of day as the heading of the verdict has it. */
const timeText = (iso: string): string => new Date(iso).toLocaleTimeString('en-GB');

/** What an outage of the entitlement service means while its last answers are remembered. */
const rememberedMeaning = (until: string): string =>
  `so only viewers to whom it has just granted a paid stream play on, until ${timeText(until)} at the latest, and VIPs see only the events that everyone sees`;

const ofServices = ({ outside }: Read<'services'>, now: number): Found[] =>
  outside.flatMap(({ service, out_since: since, last_failure: lastFailure, remembered_until: until }) => {
    const known = services[service];
    if (since === undefined || lastFailure === undefined || known === undefined) return [];
    const unknownFor = now - Date.parse(lastFailure);
    const isCalled = unknownFor < uncalledMilliseconds;
    return [
      {
        weight: 3,
        what: isCalled
          ? `the ${service} service has given no usable answer`
          : `it is not known whether the ${service} service answers`,
        since: isCalled ? since : lastFailure,
        meaning: isCalled
          ? until === undefined
            ? known.meaning
            : rememberedMeaning(until)
          : 'the last call that is known failed, and the service could not be asked from here',
        runbook: known.runbook,
        command: triesServices,
      },
    ];
  });

const ofEditors = ({ busy_editors: busy }: Read<'services'>): Found[] =>
  busy.map(({ editor, key_id: key, changes_in_an_hour: changes, usual_at_most: usual }) => ({
    weight: 4,
    what: `the key ${key} of the editor ${editor} has changed events ${changes} times in an hour`,
    meaning: `so a script runs wild, or somebody else has the key; up to ${usual} changes are usual`,
    since: undefined,
    runbook: editorsKey,
    command: `applications show ${editor}`,
  }));

type Alarm = Read<'alarms'>['alarms'][number];

/**
 * Whether the readings prove that the problem of an alarm is solved, by the section of the runbook that the alarm names.
 * Only a state that is read, or a call that succeeded after the last failure, proves this. An alarm with another section
 * is a problem as long as it is on.
 */
const isSolved: Readonly<Record<string, (readings: Readings, now: number) => boolean>> = {
  funds: ({ signers = [] }) => signers.length > 0 && signers.every(({ funds }) => funds === 'enough'),
  'no-rpc-endpoint-answers': ({ signers = [] }) =>
    signers.length > 0 && signers.every(({ balance }) => balance !== undefined),
  [waits]: ({ signers }) =>
    signers?.every(({ unfinished_age_seconds: age = 0 }) => age < oldSeconds) === true,
  'failed-changes': ({ notifications }) => notifications?.failed_changes === 0,
  'dead-letters': ({ notifications }) => notifications?.undelivered.length === 0,
  'redelivery-is-paused': ({ notifications }) =>
    notifications?.undelivered.every(({ state }) => state !== 'paused') === true,
  // A delivery that succeeds ends the failure of an endpoint.
  'deliveries-fail': ({ notifications }) => notifications?.failing.length === 0,
  'endpoints-fail-for-days': ({ notifications }, now) =>
    notifications?.failing.every(({ failing_since: since }) => !failsForDays(since, now)) === true,
  ...Object.fromEntries(
    Object.entries(services).map(([service, { runbook }]) => [
      runbook,
      (readings: Readings) =>
        readings.services?.outside.find((each) => each.service === service)?.over_since !== undefined,
    ]),
  ),
};

/** What is wrong with a stage, worst first. */
export const verdictOf = (
  readings: Readings,
  {
    now,
    signers,
    command,
  }: {
    readonly now: number;
    /** How many signers the deployed stage has. */
    readonly signers: number;
    /** Returns the complete command line for an operator command. */
    readonly command: (words: string) => string;
  },
): Verdict => {
  const { failures } = readings;
  const unread = parts.filter((part) => failures[part] !== undefined || readings[part] === undefined);
  const lost = unread.map(
    (part): Found => ({
      weight: -1,
      what: `${part} could not be read${failures[part] === undefined ? ' yet' : `: ${failures[part]}`}`,
      meaning: 'so their state is unknown',
      since: undefined,
      runbook: undefined,
      command: undefined,
    }),
  );
  const unreadKeys = readings.signers === undefined ? 0 : signers - readings.signers.length;
  /** The parts that could be read completely this time. Any other part may have an earlier reading. */
  const read: Readings = {
    failures,
    ...(failures.signers === undefined && unreadKeys === 0 && { signers: readings.signers }),
    ...(failures.notifications === undefined && { notifications: readings.notifications }),
    ...(failures.services === undefined && { services: readings.services }),
  };
  const found: Found[] = [
    ...lost,
    ...ofUnreadKeys(unreadKeys),
    ...ofSigners(readings.signers ?? [], now),
    ...(readings.notifications === undefined ? [] : ofNotifications(readings.notifications, now)),
    ...(readings.services === undefined ? [] : ofServices(readings.services, now)),
    ...(readings.services === undefined ? [] : ofEditors(readings.services)),
  ];
  const named = new Set<string | undefined>(
    found.flatMap(({ runbook, covers = [] }) => [runbook, ...covers]),
  );
  const on = readings.alarms?.alarms ?? [];
  /** Alarms about problems that no other part of the readings names. */
  const further = on.filter(({ runbook }) => runbook === undefined || !named.has(runbook));
  const isEnding = ({ runbook }: Alarm): boolean =>
    runbook !== undefined && isSolved[runbook]?.(read, now) === true;
  /** The time when the alarm went off. It is used for a problem without a start time of its own. */
  const alarmedSince = (runbook: string | undefined): string | undefined =>
    on.find((alarm) => alarm.runbook === runbook)?.since;
  const weighed: Weighed[] = [
    ...found,
    ...further
      .filter((alarm) => !isEnding(alarm))
      .map(({ alarm, since, what_goes_wrong: meaning, runbook }) => ({
        weight: 4,
        what: since === undefined ? `alarm ${alarm} is on` : `alarm ${alarm} has been on`,
        meaning,
        since,
        runbook,
        command: (alarmCommands as Readonly<Record<string, string | undefined>>)[runbook ?? ''],
      })),
  ];
  const problems = weighed
    .toSorted((one, other) => one.weight - other.weight || (one.since ?? '').localeCompare(other.since ?? ''))
    .map(({ weight: _, whatSince, covers: __, ...problem }) => {
      const since = problem.since ?? alarmedSince(problem.runbook);
      const what = since === undefined ? problem.what : (whatSince ?? problem.what);
      const words = problem.command;
      return { ...problem, what, since, command: words === undefined ? undefined : command(words) };
    });
  return {
    summary: problems.length === 0 ? 'no problem found' : counted(problems.length, 'problem'),
    problems,
    ending: further.filter(isEnding).map(({ alarm }) => alarm),
    ...(readings.alarms?.alarms_exist === false && { unknown: withoutAlarms }),
  };
};
