import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../../operator/program.ts';
import { alarmCommands } from '../../../operator/stage/status/alarm-commands.ts';
import { editorsKey, type Readings, verdictOf } from '../../../operator/stage/status/verdict.ts';
import { sectionsOfAlarms } from '../../support/platform/stack.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const command = (words: string) => `operator ${words}`;

type Signer = NonNullable<Readings['signers']>[number];
const aSigner = (overrides: Partial<Signer> = {}): Signer => ({
  signer: 1,
  address: '0x1',
  draining: false,
  undecided: 0,
  unfinished_age_seconds: undefined,
  mined_not_final: 0,
  in_flight: 0,
  waiting: 0,
  gaps: 0,
  nonces: [],
  head_nonce: undefined,
  head_kind: undefined,
  head_age_seconds: undefined,
  head_attempts: undefined,
  head_fee_gwei: undefined,
  fee_ceiling_gwei: '1000',
  at_ceiling: false,
  stuck: false,
  balance: '10',
  funds: 'enough',
  funds_low_since: undefined,
  funds_days: undefined,
  ...overrides,
});
const well = {
  signers: [aSigner()],
  notifications: {
    published: 0,
    delivered: 0,
    failed: 0,
    failed_changes: 0,
    publisher_lag_seconds: undefined,
    event_publisher_lag_seconds: undefined,
    customers: [],
    failing: [],
    undelivered: [],
  },
  services: { measured_at: undefined, busy_editors: [], outside: [], calls: [] },
  alarms: { alarms: [], not_evaluated: [], alarms_exist: true },
  failures: {},
} satisfies Readings;
const undelivered = (applicationId: string, { fails }: { readonly fails: boolean }) => ({
  application: applicationId,
  endpoint: `https://${applicationId}.example`,
  fails,
  state: 'waiting' as const,
  subjects: 2,
  since: '2026-11-21T11:00:00.000Z',
  next_at: '2026-11-21T12:30:00.000Z',
});
/** The verdict on a stage that has as many signers as were read, unless the test names more. */
const verdict = (changes: Partial<Readings>, signers?: number) => {
  const readings = { ...well, ...changes };
  return verdictOf(readings, { now, signers: signers ?? readings.signers?.length ?? 1, command });
};

const anAlarm = (runbook: string, since?: string) => ({
  alarm: 'An-alarm',
  since,
  what_goes_wrong: 'It goes wrong.',
  runbook,
});

it('the status summary reports no problem for a healthy stage', () => {
  expect(verdict({})).toEqual({ summary: 'no problem found', problems: [], ending: [] });
});

it('the status summary lists the worst problem first, each with the command that shows more', () => {
  const failing = (applicationId: string, since: string) => ({
    application: applicationId,
    endpoint: `https://${applicationId}.example`,
    form: 'raw',
    last_success: undefined,
    failing_since: since,
    last_failure: applicationId === 'late' ? '500: Internal Server Error' : 'SNS could not connect',
  });
  const { summary, problems } = verdict({
    signers: [
      aSigner({ stuck: true, undecided: 3, head_nonce: 17, head_age_seconds: 60 }),
      aSigner({ signer: 2, funds: 'none' }),
      aSigner({ signer: 3, funds: 'low' }),
    ],
    notifications: {
      ...well.notifications,
      undelivered: [undelivered('late', { fails: true }), undelivered('some', { fails: false })],
      failed_changes: 1,
      failing: [failing('late', '2026-11-21T11:00:00.000Z'), failing('long', '2026-11-20T11:00:00.000Z')],
    },
    services: {
      ...well.services,
      outside: [
        {
          service: 'entitlement',
          out_since: '2026-11-21T11:59:00.000Z',
          last_failure: '2026-11-21T11:59:55.000Z',
          over_since: undefined,
          unavailable: 2,
          circuit_open: 'no',
        },
      ],
    },
    alarms: { alarms: [anAlarm('finality-stalls')], not_evaluated: [], alarms_exist: true },
  });

  expect(summary).toBe('9 problems');
  expect(problems.map(({ what, command: line }) => [what, line])).toEqual([
    ['signer 2 has no coins', 'operator signers'],
    ['signer 1 has been stuck at nonce 17', 'operator transactions show 17 --signer 1'],
    ['1 change was not published', 'operator failed-changes list'],
    ['the entitlement service has given no usable answer', 'operator secrets list'],
    ['alarm An-alarm is on', 'operator transactions list'],
    [
      "long's endpoint https://long.example has not answered (SNS could not connect)",
      'operator subscriptions list --failing --application long',
    ],
    [
      "late's endpoint https://late.example has answered 500",
      'operator subscriptions list --failing --application late',
    ],
    [
      "some's endpoint https://some.example has not accepted notifications about 2 subjects",
      'operator dead-letters list --application some',
    ],
    ['signer 3 has a low balance', 'operator signers'],
  ]);
  expect(problems[1]).toMatchObject({
    since: '2026-11-21T11:59:00.000Z',
    meaning: 'so 3 transactions of its applications wait',
    runbook: 'the-oldest-transaction-waits',
  });
});

it('the status summary reports sections that could not be read and a chain that does not answer', () => {
  const { summary, problems } = verdict({
    signers: [aSigner({ balance: undefined, funds: undefined })],
    notifications: undefined,
    failures: { services: 'timed out' },
  });

  expect(summary).toBe('3 problems');
  expect(problems.map(({ what }) => what)).toEqual([
    'notifications could not be read yet',
    'services could not be read: timed out',
    'no RPC endpoint answers',
  ]);
});

it('the status summary treats an alarm as ending if its section was read and is healthy', () => {
  const alarms = {
    alarms: [anAlarm('dead-letters', '2026-11-21T11:58:00.000Z')],
    not_evaluated: [],
    alarms_exist: true,
  };
  const stillThere = { ...well.notifications, undelivered: [undelivered('some', { fails: false })] };

  expect(verdict({ alarms })).toEqual({ summary: 'no problem found', problems: [], ending: ['An-alarm'] });
  expect(verdict({ alarms, notifications: stillThere })).toMatchObject({
    summary: '1 problem',
    problems: [{ what: expect.stringContaining('has not accepted'), since: '2026-11-21T11:00:00.000Z' }],
    ending: [],
  });
  expect(verdict({ alarms, failures: { notifications: 'timed out' } }).summary).toBe('2 problems');
});

it.each(['the-oldest-transaction-waits', 'funds', 'no-rpc-endpoint-answers'])(
  'the status summary names keys of signers that cannot be read, and does not treat an alarm on %s as ending then',
  (section) => {
    const alarms = { alarms: [anAlarm(section)], not_evaluated: [], alarms_exist: true };
    const unread = {
      runbook: 'a-key-cannot-be-used',
      command: 'operator signers',
    };
    const alarm = { what: 'alarm An-alarm is on' };

    expect(verdict({ alarms, signers: [] }, 1)).toMatchObject({
      problems: [{ ...unread, what: 'the key of 1 signer cannot be read' }, alarm],
      ending: [],
    });
    expect(verdict({ alarms }, 3)).toMatchObject({
      problems: [{ ...unread, what: 'the keys of 2 signers cannot be read' }, alarm],
      ending: [],
    });
    expect(verdict({ alarms }, 1)).toMatchObject({ problems: [], ending: ['An-alarm'] });
  },
);

it('the status summary names no keys as unreadable if the signers could not be read at all', () => {
  const { problems } = verdict({ signers: undefined, failures: { signers: 'timed out' } }, 3);

  expect(problems.map(({ what }) => what)).toEqual(['signers could not be read: timed out']);
});

it('the status summary does not treat an alarm as ending if no section covers it or an endpoint still fails', () => {
  const alarms = {
    alarms: [anAlarm('the-entitlement-service-is-down')],
    not_evaluated: [],
    alarms_exist: true,
  };
  const delivering = { alarms: [anAlarm('deliveries-fail')], not_evaluated: [], alarms_exist: true };
  const failing = {
    application: 'demo',
    endpoint: 'https://demo.example',
    form: 'raw',
    last_success: undefined,
    failing_since: '2026-11-21T11:00:00.000Z',
    last_failure: '500: no',
  };
  const lasting = { ...failing, failing_since: '2026-11-11T11:00:00.000Z' };
  const sections = (endpoint: typeof failing) =>
    verdict({ alarms: delivering, notifications: { ...well.notifications, failing: [endpoint] } });

  expect(verdict({ alarms })).toMatchObject({ summary: '1 problem', ending: [] });
  expect(sections(failing)).toMatchObject({ problems: [{ runbook: 'deliveries-fail' }], ending: [] });
  expect(sections(lasting)).toMatchObject({ problems: [{ runbook: 'endpoints-fail-for-days' }], ending: [] });
});

it('the status summary of a stage without alarms names what remains unknown', () => {
  const alarms = { alarms: [], not_evaluated: [], alarms_exist: false };

  expect(verdict({}).unknown).toBeUndefined();
  expect(verdict({ alarms })).toMatchObject({
    summary: 'no problem found',
    unknown: expect.stringContaining('This stage has no alarms: whether its functions, tables and APIs fail'),
  });
});

it('the status summary knows an existing command for every alarm', async () => {
  expect(sectionsOfAlarms().filter((section) => !(section in alarmCommands))).toEqual([]);
  for (const words of Object.values(alarmCommands).flatMap((each) => each ?? [])) {
    const argv = words.split(' ');
    const named = argv.filter((word) => !word.startsWith('--'));
    const found = named.reduce<Command | undefined>(
      (parent, word) => parent?.commands.find((each) => each.name() === word),
      await createProgram(argv),
    );

    expect(found, words).toBeDefined();
    expect(
      found?.options.map(({ long }) => long),
      words,
    ).toEqual(expect.arrayContaining(argv.filter((word) => word.startsWith('--'))));
    expect(['status', 'console'], words).not.toContain(named[0]);
  }
});

it('names the key of an editor that changes unusually many events', () => {
  const busy = { editor: 'newsroom', key_id: 'k1', changes_in_an_hour: 341, usual_at_most: 300 };

  const { problems } = verdictOf(
    { ...well, services: { ...well.services, busy_editors: [busy] } },
    { now, signers: 1, command },
  );

  expect(problems).toMatchObject([
    {
      what: 'the key k1 of the editor newsroom has changed events 341 times in an hour',
      command: 'operator applications show newsroom',
      runbook: editorsKey,
    },
  ]);
});
