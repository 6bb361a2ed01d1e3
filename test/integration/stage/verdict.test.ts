import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { resolve } from 'template-runtime/assembly/intrinsics.ts';
import { createAlarmEngine } from 'template-runtime/engines/alarms/engine.ts';
import { createMetrics } from 'template-runtime/engines/metrics/engine.ts';
import { alarm as alarmResource } from 'template-runtime/resources/cloudwatch-alarm.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownOf } from '../../../operator/stage/console/server.ts';
import { metricsReader } from '../../../operator/stage/metrics/read-metrics.ts';
import { stageMetrics } from '../../../operator/stage/metrics/stage-metrics.ts';
import { verdictLines } from '../../../operator/stage/status/command.ts';
import { readMoment, type StageMoment } from '../../../operator/stage/status/moment.ts';
import { panelsOf } from '../../../operator/stage/status/stage-now.ts';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';
import type { Endpoint } from '../../../shared/notifications/endpoints/endpoint.ts';
import { dynamoDbOutages, outageWatch } from '../../../shared/platform/store/outages.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';
import { anEndpoint } from '../../support/notifications/endpoints.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { localTemplate } from '../../support/platform/local-assembly.ts';
import { seededRandom } from '../../support/platform/seeded-random.ts';

const seconds = 1_000;
const minutes = 60 * seconds;
const start = Date.parse('2026-11-21T12:00:00Z');
const coin = 10n ** 18n;
const gwei = 10n ** 9n;
const nft = { inFlightCap: 256, replaceAfterSeconds: 30, feeCeiling: 1_000n * gwei, lowBalance: 2 };

const outside = {
  entitlement: { metric: 'EntitlementUnavailable', runbook: 'the-entitlement-service-is-down' },
  geolocation: { metric: 'GeolocationUnavailable', runbook: 'the-geolocation-service-is-down' },
} as const;
type Outside = keyof typeof outside;

const faultNames = [
  'entitlement',
  'geolocation',
  'no coins',
  'few coins',
  'stuck',
  'fees too high',
  'not final',
  'no RPC endpoint',
  'failed changes',
  'undelivered',
  'endpoint',
  'unreadable',
] as const;
type Fault = (typeof faultNames)[number];

/** The runbook sections of the alarms that run here. The functions and queues that they watch are imitated. */
const watchedSections = [
  outside.entitlement.runbook,
  outside.geolocation.runbook,
  'tickets-cannot-be-judged',
  'funds',
  'the-oldest-transaction-waits',
  'no-rpc-endpoint-answers',
];

let database: TestDatabase;
let table: string;
const folder = mkdtempSync(join(tmpdir(), 'marquee-verdict-'));

beforeAll(async () => {
  database = await startDatabase();
  ({ Grants: table } = await createTables(database, ['Grants']));
});
afterAll(async () => {
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let worlds = 0;

/** A stage whose parts fail when the test makes them fail. Its clock moves only by `pass`. */
const aWorld = async () => {
  worlds += 1;
  let now = start + worlds * 86_400_000;
  const clock = () => now;
  const stateDirectory = mkdtempSync(join(folder, 'world-'));
  const metrics = createMetrics({ stateDirectory, clock });
  const alarms = createAlarmEngine({
    stateDirectory,
    metrics,
    clock,
    messaging: { mayPublish: async () => 'allowed', publish: async () => ({ messageId: 'm' }) },
    onError: (error) => {
      throw error;
    },
  });
  const namespace = 'Marquee/local';
  for (const [logicalId, { Type, Properties }] of Object.entries(localTemplate().Resources)) {
    if (Type !== 'AWS::CloudWatch::Alarm') continue;
    const properties = alarmResource.properties.parse(
      resolve(Properties, { ref: (name: string) => name, getAtt: (name: string) => name }),
    );
    const section = /runbook\.md#(.+)$/.exec(String(properties.AlarmDescription))?.[1] ?? '';
    if (watchedSections.includes(section)) alarms.declare({ ...alarmOf(logicalId, properties) });
  }

  const faults = new Map<Fault, number>();
  const isOn = (fault: Fault) => faults.has(fault);
  const since = (fault: Fault) => faults.get(fault) ?? now;

  const outages = dynamoDbOutages({
    client: database.documents,
    tableName: table,
    // On a busy machine, the database takes longer than viewers would wait.
    timeoutMilliseconds: 60_000,
  });
  /** Three function instances. Each knows only the calls that it made itself. */
  const instances = Array.from({ length: 3 }, () => ({
    entitlement: outageWatch(outages, { service: 'entitlement', clock }),
    geolocation: outageWatch(outages, { service: 'geolocation', clock }),
  }));
  const calls: Record<Outside, { failedAt?: number; succeededAt?: number }> = {
    entitlement: {},
    geolocation: {},
  };
  const call = async (service: Outside, instance: number): Promise<void> => {
    const isFailing = isOn(service);
    calls[service][isFailing ? 'failedAt' : 'succeededAt'] = now;
    await instances[instance]
      ?.[service](async () => {
        if (!isFailing) return;
        metrics.put({ namespace, name: outside[service].metric, dimensions: {}, value: 5, at: now });
        throw new Error('down');
      })
      .catch(() => {});
  };
  /** Whether the last call failed. `undefined` while no call was made. */
  const isFailing = (service: Outside): boolean | undefined => {
    const { failedAt, succeededAt } = calls[service];
    if (failedAt === undefined) return succeededAt === undefined ? undefined : false;
    return succeededAt === undefined || succeededAt <= failedAt;
  };

  const balance = async (): Promise<bigint> => {
    if (isOn('no RPC endpoint')) throw new ChainUnavailableError({ message: 'silent' });
    if (isOn('no coins')) return 0n;
    return isOn('few coins') ? coin : 10n * coin;
  };
  const waiting = () => {
    const isUnmined = isOn('stuck') || isOn('fees too high');
    const from = Math.min(
      ...(['stuck', 'fees too high', 'not final'] as const).filter(isOn).map((fault) => since(fault)),
    );
    return { isUnmined, from: Number.isFinite(from) ? from : undefined };
  };
  const state = () => {
    const { isUnmined, from } = waiting();
    return aSignerState({
      finalizedCount: 0,
      minedCount: isUnmined ? 0 : 1,
      nextNonce: from === undefined ? 0 : 1,
      ...(from === undefined && { minedCount: 0 }),
      unminedCost: 0n,
    });
  };
  const entries = (): Entry[] => {
    const { from } = waiting();
    if (from === undefined) return [];
    const maxFeePerGas = isOn('fees too high') ? nft.feeCeiling : 30n * gwei;
    return [
      {
        signer: state().id,
        nonce: 0,
        purpose: { kind: 'noop' },
        gas: 21_000n,
        attempts: [{ hash: '0x01', raw: '0x02', maxFeePerGas, maxPriorityFeePerGas: gwei, signedAt: from }],
        status: 'pending',
        missingLooks: 0,
      },
    ];
  };
  const endpoint = (): Endpoint =>
    ({
      id: 'e',
      applicationId: 'demo',
      destination: 'https://demo.example',
      isEnveloped: false,
      operationTypes: [],
      createdAt: start,
      ...(isOn('endpoint') && {
        failingSince: since('endpoint'),
        lastFailure: { at: now, reason: '500: no' },
      }),
    }) as unknown as Endpoint;

  /** An endpoint that accepts notifications, but has not accepted all. */
  const refusing = (): Endpoint => ({
    ...anEndpoint({ applicationId: 'shop', destination: 'https://shop.example' }),
    redelivery: {
      since: since('undelivered'),
      attempt: 0,
      nextAt: now + 60 * minutes,
      isPaused: false,
      rowsChangedAt: now,
      failureNotedAt: now,
      failures: 1,
    },
  });

  const cloudwatch = Object.assign(new CloudWatchClient({ region: 'us-east-1' }), {
    send: async ({ input }: { readonly input: Record<string, never> }) =>
      'MetricDataQueries' in input
        ? { MetricDataResults: measured(input as never) }
        : {
            MetricAlarms: alarms.list().map(({ name, description, state: StateValue, stateUpdated }) => ({
              AlarmName: name,
              AlarmDescription: description,
              StateValue,
              StateUpdatedTimestamp: stateUpdated,
            })),
          },
  });
  const measured = (input: {
    readonly StartTime: Date;
    readonly EndTime: Date;
    readonly MetricDataQueries: readonly {
      readonly Id: string;
      readonly MetricStat: {
        readonly Metric: {
          readonly Namespace: string;
          readonly MetricName: string;
          readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
        };
        readonly Period: number;
        readonly Stat: string;
      };
    }[];
  }) =>
    input.MetricDataQueries.map(({ Id, MetricStat: { Metric, Period, Stat } }) => {
      const points = metrics.query({
        namespace: Metric.Namespace,
        name: Metric.MetricName,
        dimensions: Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value])),
        statistic: Stat,
        periodSeconds: Period,
        from: input.StartTime.getTime(),
        to: input.EndTime.getTime(),
      });
      return {
        Id,
        Timestamps: points.map(({ at }) => new Date(at)),
        Values: points.map(({ value }) => value),
      };
    });

  const panels = panelsOf({
    stackName: 'Marquee-local',
    nft,
    chain: {
      chain: {
        balance,
        fees: async () => ({ baseFeePerGas: gwei, maxFeePerGas: 3n * gwei, maxPriorityFeePerGas: gwei }),
      },
      keys: { list: async () => [{ id: aSignerState().id, signer: { number: 1 } as never }] },
      signers: { list: async () => [state()] },
      transactionLog: { range: async () => entries() },
      clock,
    },
    undelivered: { count: async () => 1 },
    endpoints: {
      list: async () => {
        if (isOn('unreadable')) throw new Error('no table');
        return [endpoint(), ...(isOn('undelivered') ? [refusing()] : [])];
      },
    },
    outages,
    askService: async (service) => {
      if (!mayAsk) return 'unknown';
      asked += 1;
      return isOn(service as Outside) ? 'fails' : 'answers';
    },
    lastKnownGoodSeconds: 300,
    editCounts: { lastHour: async () => [] },
    editsPerHour: 300,
    failedChanges: async () => (isOn('failed changes') ? 1 : 0),
    cloudwatch,
    metrics: metricsReader({
      client: cloudwatch,
      clock,
      queries: stageMetrics({
        stage: 'local',
        signers: [1],
        topicArn: 'a:topic',
        publisherFunction: 'p',
        eventPublisherFunction: 'e',
      }),
    }),
    clock,
  });
  const command = (words: string) => `operator ${words}`;
  let mayAsk = false;
  let asked = 0;
  let shown: StageMoment | undefined;

  /** Measures what the schedule measures once a minute, and evaluates the alarms. */
  const measure = async (): Promise<void> => {
    const gauge = (name: string, value: number) =>
      metrics.put({ namespace, name, dimensions: { service: 'nft' }, value, at: now - seconds });
    const { from } = waiting();
    gauge('OldestUnfinishedSeconds', from === undefined ? 0 : (now - from) / seconds);
    gauge('RpcUnavailable', isOn('no RPC endpoint') ? 1 : 0);
    if (!isOn('no RPC endpoint')) gauge('LowestBalanceCoins', Number(await balance()) / 1e18);
    await alarms.evaluate();
  };

  return {
    clock,
    call,
    isOn,
    isFailing,
    since,
    alarmsOn: () => alarms.list().filter(({ state }) => state === 'ALARM'),
    set: (fault: Fault, on: boolean) => {
      if (!on) faults.delete(fault);
      else if (!faults.has(fault)) faults.set(fault, now);
    },
    /** Lets time pass. At the end of each minute, the schedule measures and the alarms are evaluated. */
    pass: async (milliseconds: number): Promise<void> => {
      const until = now + milliseconds;
      while (now < until) {
        const next = Math.floor(now / minutes + 1) * minutes;
        now = Math.min(next, until);
        if (now === next) await measure();
      }
    },
    /** Lets `status` and the console call the outside services. Returns how often they did. */
    mayAsk: () => {
      mayAsk = true;
      return () => asked;
    },
    setTicketsDown: () =>
      metrics.put({ namespace, name: 'TicketsUnavailable', dimensions: {}, value: 50, at: now }),
    /** What the command line and an open console say now. */
    look: async () => {
      const told = await readMoment(panels, { clock, signers: 1, command });
      shown = await readMoment(panels, { clock, signers: 1, command, before: shown });
      return { told, shown };
    },
    stop: () => {
      metrics.stop();
      return alarms.stop();
    },
  };
};

const alarmOf = (logicalId: string, properties: Record<string, unknown>) => {
  const { AlarmDescription, ...watched } = properties;
  return {
    name: `Marquee-local-${logicalId}`,
    arn: `arn:${logicalId}`,
    description: String(AlarmDescription),
    actionsEnabled: false,
    actions: { OK: [], ALARM: [], INSUFFICIENT_DATA: [] },
    watched,
  };
};

type World = Awaited<ReturnType<typeof aWorld>>;

const sectionsOf = ({ verdict }: StageMoment) => verdict.problems.map(({ runbook }) => runbook);
const isNamed = (moment: StageMoment, service: Outside) =>
  sectionsOf(moment).includes(outside[service].runbook);

describe('the status summary of the local system', () => {
  it('reports an outage until a call has succeeded, however few calls are made', async () => {
    const world = await aWorld();
    world.set('entitlement', true);
    const named: string[] = [];
    for (const pause of [6, 11, 28, 73, 100]) {
      await world.call('entitlement', pause % 3);
      await world.pass(pause * seconds);
      const { told } = await world.look();
      const [problem] = told.verdict.problems;
      named.push(`${pause}: ${problem?.what}`);
    }
    const began = new Date(start + worlds * 86_400_000).toISOString();

    const down = 'the entitlement service has given no usable answer';
    const unknown = 'it is not known whether the entitlement service answers';
    expect(named).toEqual([`6: ${down}`, `11: ${down}`, `28: ${down}`, `73: ${unknown}`, `100: ${unknown}`]);
    await world.call('entitlement', 0);
    expect((await world.look()).told.verdict.problems[0]).toMatchObject({ what: down, since: began });
    world.set('entitlement', false);
    await world.pass(20 * seconds);
    expect(isNamed((await world.look()).told, 'entitlement')).toBe(true);
    await world.call('entitlement', 1);
    expect(isNamed((await world.look()).told, 'entitlement')).toBe(false);
    await world.stop();
  });

  it('asks a service that nobody calls a minute after its last failure, and then knows', async () => {
    const world = await aWorld();
    const asked = world.mayAsk();
    world.set('entitlement', true);
    await world.call('entitlement', 0);
    await world.pass(50 * seconds);
    await world.look();
    expect(asked()).toBe(0);

    await world.pass(60 * seconds);
    const during = await world.look();
    expect(asked()).toBe(1);
    expect(during.told.verdict.problems[0]?.what).toBe('the entitlement service has given no usable answer');

    world.set('entitlement', false);
    await world.pass(70 * seconds);
    expect(isNamed((await world.look()).told, 'entitlement')).toBe(false);
    await world.pass(600 * seconds);
    expect(isNamed((await world.look()).told, 'entitlement')).toBe(false);
    expect(asked()).toBe(2);
    await world.stop();
  });

  it('says until when viewers play on by what was answered before the outage, and then that nobody plays', async () => {
    const world = await aWorld();
    world.set('entitlement', true);
    await world.call('entitlement', 0);
    const until = new Date(world.clock() + 300 * seconds).toLocaleTimeString('en-GB');
    const meaning = async () => {
      await world.call('entitlement', 1);
      return (await world.look()).told.verdict.problems[0]?.meaning;
    };

    await world.pass(200 * seconds);
    expect(await meaning()).toMatch(`play on, until ${until} at the latest`);
    await world.pass(110 * seconds);
    expect(await meaning()).toContain('nobody can play paid streams');
    await world.stop();
  });

  it('reports that the cause of an alarm is gone only after a call has succeeded', async () => {
    const world = await aWorld();
    world.set('entitlement', true);
    for (let calls = 0; calls < 28; calls += 1) {
      await world.call('entitlement', calls % 3);
      await world.pass(5 * seconds);
    }
    await world.pass(50 * seconds);
    const [alarm] = world.alarmsOn();
    expect(alarm?.name).toContain('ntitlement');
    const during = await world.look();
    world.set('entitlement', false);
    await world.call('entitlement', 2);
    const after = await world.look();

    expect(during.told.verdict).toMatchObject({ summary: '1 problem', ending: [] });
    expect(verdictLines(during.told).join('\n')).not.toContain('its cause is gone');
    expect(after.told.verdict).toMatchObject({ summary: 'no problem found', ending: [alarm?.name] });
    await world.stop();
  });

  it('matches the actual faults at each of 240 steps, both in status and in the console', async () => {
    const world = await aWorld();
    const random = seededRandom(37);
    const seen = new Set<string>();
    for (let step = 0; step < 240; step += 1) {
      const fault = faultNames[Math.floor(random() * faultNames.length)] ?? 'stuck';
      // More faults end than begin, so that the stage is well from time to time.
      world.set(fault, random() < 0.4);
      if (random() < 0.03) world.setTicketsDown();
      const hasTraffic = random() < 0.5;
      for (let calls = 0; hasTraffic && calls < 5; calls += 1) {
        const instance = Math.floor(random() * 3);
        await world.call('entitlement', instance);
        await world.call('geolocation', instance);
        await world.pass(3 * seconds);
      }
      await world.pass(Math.floor(10 + random() * 110) * seconds);
      const where = `step ${step}`;

      const { told, shown } = await world.look();
      for (const line of judge(world, told, where)) seen.add(line);
      agree(world, told, shown, where);
    }
    expect([...seen].sort()).toEqual(
      ['alarm is named', 'alarm is over', 'all is well', ...faultNames].sort(),
    );
    await world.stop();
  });
});

/**
 * Compares the verdict with the true state of the world. Returns the cases that were seen, so that the test notices a
 * case that never occurs.
 */
const judge = (world: World, moment: StageMoment, where: string): string[] => {
  const { verdict, readings } = moment;
  const said = verdict.problems.map(({ what }) => what).join('\n');
  const { clock, isOn, since } = world;
  const stuckFor = Math.max(
    ...(['stuck', 'fees too high'] as const).filter(isOn).map((fault) => clock() - since(fault)),
  );
  const isMinedOnly = isOn('not final') && !isOn('stuck') && !isOn('fees too high');
  const isReadable = !isOn('unreadable');
  const hasBalance = !isOn('no RPC endpoint');
  const truth: Readonly<Record<Fault, { readonly is: boolean; readonly text: string }>> = {
    entitlement: { is: world.isFailing('entitlement') === true, text: 'the entitlement service' },
    geolocation: { is: world.isFailing('geolocation') === true, text: 'the geolocation service' },
    'no coins': { is: hasBalance && isOn('no coins'), text: 'no coins' },
    'few coins': { is: hasBalance && isOn('few coins') && !isOn('no coins'), text: 'a low balance' },
    stuck: { is: stuckFor > 2 * nft.replaceAfterSeconds * seconds, text: 'has been stuck' },
    'fees too high': { is: stuckFor > 2 * nft.replaceAfterSeconds * seconds, text: 'has been stuck' },
    'not final': {
      is: isMinedOnly && clock() - since('not final') >= 10 * minutes,
      text: 'has not been final',
    },
    'no RPC endpoint': { is: !hasBalance, text: 'no RPC endpoint answers' },
    'failed changes': { is: isReadable && isOn('failed changes'), text: 'not published' },
    undelivered: { is: isReadable && isOn('undelivered'), text: "shop's endpoint" },
    endpoint: { is: isReadable && isOn('endpoint'), text: "demo's endpoint" },
    unreadable: { is: !isReadable, text: 'notifications could not be read: no table' },
  };
  const seen: string[] = [];
  for (const [fault, { is, text }] of Object.entries(truth)) {
    if (is) seen.push(fault);
    expect(said.includes(text), `${where}: ${fault}; said:\n${said}`).toBe(is);
  }
  const on = world.alarmsOn();
  for (const { name, description = '' } of on) {
    const section = /#(.+)$/.exec(description)?.[1];
    const isEnding = verdict.ending.includes(name);
    const isCovered =
      sectionsOf(moment).includes(section) || said.includes(name) || isCoveredBy(said, section);
    expect([isEnding, isCovered], `${where}: ${name}; said:\n${said}`).toEqual([isEnding, !isEnding]);
    seen.push(isEnding ? 'alarm is over' : 'alarm is named');
    const service = (Object.keys(outside) as Outside[]).find((each) => outside[each].runbook === section);
    if (isEnding && service !== undefined) expect(world.isFailing(service), where).toBe(false);
    if (isEnding && section === 'tickets-cannot-be-judged') throw new Error(`${where}: nobody knows that`);
    if (isEnding && section === 'no-rpc-endpoint-answers') expect(hasBalance, where).toBe(true);
    if (isEnding && section === 'funds') {
      expect([hasBalance, isOn('no coins'), isOn('few coins')], where).toEqual([true, false, false]);
    }
  }
  const isWell =
    Object.values(truth).every(({ is }) => !is) && on.every(({ name }) => verdict.ending.includes(name));
  expect(verdict.summary === 'no problem found', `${where}: ${verdict.summary}\n${said}`).toBe(isWell);
  if (isWell) seen.push('all is well');
  for (const { command } of verdict.problems) {
    expect(command ?? '', where).not.toMatch(/^operator (status|console)/);
  }
  expect(verdictLines(moment).join('\n')).toContain(`${verdict.summary}, as of`);
  expect(readings.failures.notifications !== undefined, where).toBe(!isReadable);
  return seen;
};

/** A signer that is stuck has the same problem as the alarm on old transactions, under another section. */
const isCoveredBy = (said: string, section: string | undefined): boolean =>
  section === 'the-oldest-transaction-waits' && said.includes('has been stuck');

/** Expects that all panels of the console show one moment, and the same state as the command line. */
const agree = (world: World, told: StageMoment, shown: StageMoment, where: string): void => {
  const { panels } = shownOf(shown);
  const panel = (name: string) => panels.find((each) => each.panel === name);
  const { at = 0 } = panel('verdict') ?? {};
  const readNow = panels.filter(({ failure }) => failure === undefined);
  expect(new Set(readNow.map((each) => each.at)), where).toEqual(new Set([at]));
  for (const { stateUpdated } of world.alarmsOn()) {
    expect(stateUpdated.getTime(), where).toBeLessThanOrEqual(at);
  }
  expect(panel('signers')?.content, where).toEqual(told.readings.signers);
  if (told.readings.failures.notifications !== undefined) return;
  expect(panel('verdict')?.content, where).toEqual(told.verdict);
};
