import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiAddresses } from '../../../operator/stage/smoke/addresses.ts';
import { type AlarmTopicState, checkAlarms } from '../../../operator/stage/smoke/alarm-delivery.ts';
import { smoke } from '../../../operator/stage/smoke/command.ts';
import { protectionOf } from '../../../operator/stage/smoke/protection.ts';
import { templateOf } from '../../support/platform/stack.ts';

const stage = {
  testAlarm: 'testTopic',
  testTopicArn: 'arn:aws:sns:us-east-1:1:testTopic',
  alarmTopicArn: 'arn:aws:sns:us-east-1:1:alarms',
  ticketTopicArn: undefined as string | undefined,
  notifies: true,
};
const aTopic = (overrides: Partial<AlarmTopicState> = {}): AlarmTopicState => ({
  policy: '{}',
  keyId: 'key',
  confirmedSubscriptions: 1,
  ...overrides,
});

let states: string[];
let history: { succeeded: boolean; summary: string }[][];
let topics: Map<string, AlarmTopicState>;

beforeEach(() => {
  states = [];
  history = [[{ succeeded: true, summary: 'Successfully executed action' }]];
  topics = new Map([
    [stage.alarmTopicArn, aTopic()],
    [stage.testTopicArn, aTopic({ confirmedSubscriptions: 0 })],
  ]);
});

const faults = async (overrides: Partial<typeof stage> = {}) => {
  const results = await checkAlarms(
    {
      alarms: {
        setState: async ({ state }) => {
          states.push(state);
          return new Date(0);
        },
        actionsSince: async () => history.shift() ?? [],
        topic: async (arn) => topics.get(arn) ?? aTopic(),
      },
      pause: async () => {},
    },
    { ...stage, ...overrides },
  );
  return results.map((result) => result.faults);
};

describe('the smoke test of alarms', () => {
  it('sets off the test alarm, passes if its action succeeds, and ends the alarm', async () => {
    expect(await faults()).toEqual([[], []]);
    expect(states).toEqual(['OK', 'ALARM', 'OK']);
  });

  it('waits for the action of the alarm', async () => {
    history = [[], [], [{ succeeded: true, summary: 'done' }]];

    expect(await faults()).toEqual([[], []]);
  });

  it('reports the reason of a failed action in the words of CloudWatch', async () => {
    history = [[{ succeeded: false, summary: 'Failed to execute action: not authorized' }]];

    expect(await faults()).toEqual([['Failed to execute action: not authorized'], []]);
    expect(states.at(-1)).toBe('OK');
  });

  it('reports an alarm without any action', async () => {
    history = [];

    expect((await faults())[0]).toEqual(['the alarm went off, but its history has no action']);
    expect(states.at(-1)).toBe('OK');
  });

  it.each([
    ['another policy', aTopic({ policy: '{"Statement":[]}' }), 'policy'],
    ['another key', aTopic({ keyId: 'another' }), 'key'],
    ['no subscriber', aTopic({ confirmedSubscriptions: 0 }), 'nobody is subscribed'],
  ])('reports an alarm topic that has %s', async (_, real, fault) => {
    topics.set(stage.alarmTopicArn, real);

    expect((await faults())[1]).toEqual([expect.stringContaining(fault)]);
  });

  it('also checks the topic of alarms that can wait, if the stage has one', async () => {
    const ticketTopicArn = 'arn:aws:sns:us-east-1:1:tickets';
    topics.set(ticketTopicArn, aTopic({ confirmedSubscriptions: 0 }));

    const [, page, ticket] = await faults({ ticketTopicArn });

    expect(page).toEqual([]);
    expect(ticket).toEqual([expect.stringContaining('nobody is subscribed')]);
  });

  it('requires no subscriber of the alarm topic if the stage’s file wants nobody to be notified', async () => {
    topics.set(stage.alarmTopicArn, aTopic({ confirmedSubscriptions: 0 }));

    expect(await faults({ notifies: false })).toEqual([[], []]);
  });
});

describe('the addresses that smoke tests call', () => {
  const outputs = templateOf('local').Outputs;
  const onAws = { isLocal: false, output: (name: string) => JSON.stringify(outputs[name]?.Value) };

  it("are the stage's domains, or API Gateway's own addresses, which work before the domains exist", () => {
    const domains = apiAddresses(onAws, { isOwn: false });
    const own = apiAddresses(onAws, { isOwn: true });

    expect(domains.base).not.toContain('execute-api');
    for (const address of Object.values(own)) expect(address).toContain('.execute-api.');
    expect(new Set(Object.values(own)).size).toBe(3);
  });

  it('are never those of API Gateway itself on the local system, which has none', () => {
    expect(() => apiAddresses({ ...onAws, isLocal: true }, { isOwn: true })).toThrow('has no API Gateway');
  });
});

describe('the smoke test of protection', () => {
  it.each([
    { retainData: true, isProtected: false, count: 1 },
    { retainData: true, isProtected: true, count: 0 },
    { retainData: false, isProtected: false, count: 0 },
  ])(
    'for a stage with retainData $retainData, isProtected $isProtected: $count faults',
    ({ retainData, isProtected, count }) => {
      const { faults: found } = protectionOf({ stage: 'prod', isProtected }, { retainData });

      expect(found).toHaveLength(count);
    },
  );
});

describe('the API key of the smoke test', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is read from the environment, so that no command line has to contain it', () => {
    vi.stubEnv('SMOKE_API_KEY', 'secret-key');
    const command = smoke().action(() => {});

    command.parse([], { from: 'user' });

    expect(command.opts()).toMatchObject({ apiKey: 'secret-key' });
  });
});
