import type { stageReader } from './stage-now.ts';

type Reader = ReturnType<typeof stageReader>;
type Read<Panel extends 'signers' | 'notifications' | 'services' | 'alarms'> = Awaited<
  ReturnType<Reader[Panel]>
>;

/** The last readings of a stage. `failures` has the reason for each part that could not be read. */
export interface Readings {
  readonly signers?: Read<'signers'>;
  readonly notifications?: Read<'notifications'>;
  readonly services?: Read<'services'>;
  readonly alarms?: Read<'alarms'>;
  readonly failures: Readonly<Partial<Record<Part, string>>>;
}

const parts = ['signers', 'notifications', 'services', 'alarms'] as const;
export type Part = (typeof parts)[number];

/** One problem that the verdict reports. */
export interface Problem {
  readonly what: string;
  /** What the problem means, and for whom. */
  readonly meaning: string;
  /** ISO 8601. */
  readonly since: string | undefined;
  /** The section of docs/runbook.md about the problem, as a URL fragment. */
  readonly runbook: string | undefined;
  /** A complete command that shows more about the problem, or solves it. */
  readonly command: string;
}

export interface Verdict {
  readonly summary: string;
  readonly problems: readonly Problem[];
  /** Alarms that are still on although their problem is solved, because their metrics cover past minutes. */
  readonly ending: readonly string[];
}

/** The lower the weight, the worse the problem. */
type Weighed = Problem & { readonly weight: number };

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

const ofSigner = (signer: Read<'signers'>[number], now: number): Weighed[] => {
  const { signer: number, stuck, undecided, head_nonce: nonce, head_age_seconds: age = 0 } = signer;
  const found: Weighed[] = [];
  if (signer.funds === 'none') {
    found.push({
      weight: 0,
      what: `signer ${number} has no coins`,
      meaning: 'all mint requests of its applications get 503',
      since: signer.funds_low_since,
      runbook: 'funds',
      command: 'signers',
    });
  }
  if (stuck) {
    found.push({
      weight: 1,
      what: `signer ${number} is stuck at nonce ${nonce}`,
      meaning: `${counted(undecided, 'transaction')} of its applications ${undecided === 1 ? 'waits' : 'wait'}${signer.at_ceiling ? ': gas on the chain costs more than the fee ceiling' : ''}`,
      since: new Date(now - age * 1_000).toISOString(),
      runbook: signer.at_ceiling ? 'fees' : 'the-oldest-transaction-waits',
      command: `transactions show ${nonce} --signer ${number}`,
    });
  }
  if (signer.funds === 'low') {
    found.push({
      weight: 6,
      what: `signer ${number} has a low balance`,
      meaning: 'when the signer has spent its coins, mint requests from its applications get 503',
      since: signer.funds_low_since,
      runbook: 'funds',
      command: 'signers',
    });
  }
  return found;
};

const ofSigners = (signers: Read<'signers'>, now: number): Weighed[] => {
  const found = signers.flatMap((signer) => ofSigner(signer, now));
  if (signers.length === 0 || signers.some(({ balance }) => balance !== undefined)) return found;
  return [
    {
      weight: 0,
      what: 'no RPC endpoint answers',
      meaning: 'no token can be minted, and balances are unknown',
      since: undefined,
      runbook: 'the-circuit-of-an-outside-service-is-open',
      command: 'signers',
    },
    ...found,
  ];
};

const ofNotifications = ({
  failing,
  dead_letters: deadLetters,
  failed_changes: failedChanges,
}: Read<'notifications'>): Weighed[] => [
  ...(failedChanges === 0
    ? []
    : [
        {
          weight: 2,
          what: `${counted(failedChanges, 'change was', 'changes were')} not published`,
          meaning: 'customers are not notified of these changes until an operator redrives the changes',
          since: undefined,
          runbook: 'failed-changes',
          command: 'failed-changes list',
        },
      ]),
  ...failing.map(({ application, endpoint, failing_since: since, last_failure: reason }) => ({
    weight: 4,
    what: `${endpoint} of ${application} accepts no notifications${reason === undefined ? '' : `: ${reason}`}`,
    meaning: `${application} misses its notifications`,
    since,
    runbook: 'endpoints-fail-for-days',
    command: `subscriptions list --failing --application ${application}`,
  })),
  ...(deadLetters === 0
    ? []
    : [
        {
          weight: 5,
          what: counted(deadLetters, 'dead letter'),
          meaning: 'customers have not received these notifications; they are kept for 14 days',
          since: undefined,
          runbook: 'dead-letters',
          command: 'dead-letters list',
        },
      ]),
];

const services: Readonly<Record<string, Omit<Problem, 'since' | 'command' | 'what'>>> = {
  entitlement: {
    meaning: 'nobody can play paid streams, and VIPs see only the events that everyone sees',
    runbook: 'the-entitlement-service-is-down',
  },
  geolocation: {
    meaning: 'events with a country rule are hidden from viewers whose country is unknown',
    runbook: 'the-geolocation-service-is-down',
  },
};

const ofServices = ({ outside }: Read<'services'>): Weighed[] =>
  outside.flatMap(({ service, out_since: since }) => {
    const known = services[service];
    if (since === undefined || known === undefined) return [];
    return [
      {
        weight: 3,
        what: `the ${service} service gives no usable answer`,
        since,
        command: 'status',
        ...known,
      },
    ];
  });

/**
 * Maps the runbook section of an alarm to the part of this report that finds the same problem sooner. These alarms are
 * therefore not reported as separate problems.
 */
const readDirectly: Readonly<Record<string, Part>> = {
  funds: 'signers',
  'the-oldest-transaction-waits': 'signers',
  'failed-changes': 'notifications',
  'dead-letters': 'notifications',
  'endpoints-fail-for-days': 'notifications',
  'deliveries-fail': 'notifications',
  'the-entitlement-service-is-down': 'services',
  'the-geolocation-service-is-down': 'services',
};

/** What is wrong with a stage, worst first. */
export const verdictOf = (
  readings: Readings,
  {
    now,
    command,
  }: {
    readonly now: number;
    /** Returns the complete command line for an operator command. */
    readonly command: (words: string) => string;
  },
): Verdict => {
  const { failures } = readings;
  const unread = parts.filter((part) => failures[part] !== undefined || readings[part] === undefined);
  const lost = unread.map(
    (part): Weighed => ({
      weight: -1,
      what: `${part} could not be read${failures[part] === undefined ? ' yet' : `: ${failures[part]}`}`,
      meaning: 'their state is unknown',
      since: undefined,
      runbook: undefined,
      command: 'status',
    }),
  );
  const isOn = (readings.alarms?.alarms ?? []).map((alarm) => ({
    ...alarm,
    isCovered:
      alarm.runbook !== undefined &&
      failures[readDirectly[alarm.runbook] ?? 'alarms'] === undefined &&
      readDirectly[alarm.runbook] !== undefined,
  }));
  /** The time when the alarm went off. It is used for a problem without a start time of its own. */
  const alarmedSince = (runbook: string | undefined): string | undefined =>
    isOn.find((alarm) => alarm.runbook === runbook)?.since;
  const weighed: Weighed[] = [
    ...lost,
    ...ofSigners(readings.signers ?? [], now),
    ...(readings.notifications === undefined ? [] : ofNotifications(readings.notifications)),
    ...(readings.services === undefined ? [] : ofServices(readings.services)),
    ...isOn
      .filter(({ isCovered }) => !isCovered)
      .map(({ alarm, since, what_goes_wrong: meaning, runbook }) => ({
        weight: 4,
        what: `alarm ${alarm}`,
        meaning,
        since,
        runbook,
        command: 'status',
      })),
  ];
  const problems = weighed
    .toSorted((one, other) => one.weight - other.weight || (one.since ?? '').localeCompare(other.since ?? ''))
    .map(({ weight: _, ...problem }) => ({
      ...problem,
      since: problem.since ?? alarmedSince(problem.runbook),
      command: command(problem.command),
    }));
  const named = new Set(problems.map(({ runbook }) => runbook));
  return {
    summary: problems.length === 0 ? 'no problem found' : counted(problems.length, 'problem'),
    problems,
    ending: isOn
      .filter(({ isCovered, runbook }) => isCovered && !named.has(runbook))
      .map(({ alarm }) => alarm),
  };
};
