import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { SubscribeCommand } from '@aws-sdk/client-sns';
import { drivenClock } from 'template-runtime/testing/driven-clock.ts';
import { trustAuthority } from 'template-runtime/testing/trust-authority.ts';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { startRuntime } from '../../../local/runtime.ts';
import { startCustomerEndpoint } from '../notifications/customer-endpoint.ts';
import { userDataOf } from '../users/user-data-system.ts';
import { localTemplate } from './local-assembly.ts';
import type { System } from './system.ts';

const minute = 60_000;
/** How long a minute waits for functions at work. One that hangs, or fails and is tried again, holds up no minute. */
const longestRunMilliseconds = 10_000;

/** The logical id of the only resource whose id is this, followed by a hash of its path. */
export const logicalId = (beginning: string): string => {
  const ids = Object.keys(localTemplate().Resources).filter((id) =>
    new RegExp(`^${beginning}[0-9A-F]{8}$`).test(id),
  );
  const [id] = ids;
  if (id === undefined || ids.length > 1) throw new Error(`${ids.length} resources are called ${beginning}`);
  return id;
};

/** A message about an alarm that the operator received. */
export interface Told {
  readonly alarm: string;
  readonly state: string;
  readonly at: number;
}

/** The whole stage in this process, on a clock that the test moves, and an operator who is told of its alarms. */
export const startDrivenStage = async () => {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'marquee-driven-'));
  const clock = drivenClock();
  const printed: string[] = [];
  const anyPort = { api: 0, aws: 0, chain: 0, oidc: 0, entitlement: 0, geolocation: 0, distribution: 0 };
  const runtime = await startRuntime({
    ports: anyPort,
    stateDirectory,
    clock,
    log: (line) => printed.push(line),
    onFailure: (reason) => printed.push(reason),
  });
  const { engines, outputs } = runtime;
  const aws = {
    region: 'us-east-1',
    endpoint: outputs.aws_endpoint_url,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const cloudFormation = new CloudFormationClient(aws);
  const StackName = 'Marquee-local';
  const physicalId = async (beginning: string): Promise<string> => {
    const LogicalResourceId = logicalId(beginning);
    const { StackResources = [] } = await cloudFormation.send(
      new DescribeStackResourcesCommand({ StackName, LogicalResourceId }),
    );
    const [found] = StackResources;
    if (found?.PhysicalResourceId === undefined) throw new Error(`The stack has no ${LogicalResourceId}`);
    return found.PhysicalResourceId;
  };
  const stackOutput = async (name: string): Promise<string> => {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    const value = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (value === undefined) throw new Error(`The stack has no output ${name}`);
    return value;
  };
  const token = async (claims: { readonly sub: string; readonly client_id: string }): Promise<string> => {
    const response = await fetch(`${outputs.oidc_issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams(claims),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const users = userDataOf({ outputs, stateDirectory, aws, stackOutput, token } as unknown as System);

  trustAuthority(outputs.ca_file);
  const pager = await startCustomerEndpoint();
  await users.sns.send(
    new SubscribeCommand({
      TopicArn: await stackOutput('AlarmTopicArn'),
      Protocol: 'http',
      Endpoint: pager.url,
      Attributes: { RawMessageDelivery: 'true' },
    }),
  );
  await users.confirm(pager);
  const told = (): Told[] =>
    pager.posted
      .filter(({ body }) => 'AlarmName' in body)
      .map(({ body }) => ({
        alarm: shortName(String(body.AlarmName)),
        state: String(body.NewStateValue),
        at: Date.parse(String(body.StateChangeTime)),
      }));

  const atWork = new Set<Promise<unknown>>();
  /** Each minute waits for this call, at most for a while. */
  const isAwaited = <Result>(call: Promise<Result>): Promise<Result> => {
    const patience = new Promise((resolve) => setTimeout(resolve, longestRunMilliseconds).unref());
    const ended = Promise.race([call.catch(() => undefined), patience]).finally(() => atWork.delete(ended));
    atWork.add(ended);
    return call;
  };
  const waiter = `:function:${await physicalId('NftWaiterRunWaiterFunction')}`;
  const { enqueue, invoke } = engines.lambda;
  Object.assign(engines.lambda, {
    enqueue: (...call: Parameters<typeof enqueue>) => isAwaited(enqueue(...call)),
    invoke: (...call: Parameters<typeof invoke>) =>
      call[0].endsWith(waiter) ? isAwaited(invoke(...call)) : invoke(...call),
  });

  const ringing = (): string[] =>
    engines.alarms
      .list()
      .filter(({ state }) => state === 'ALARM')
      .map(({ name }) => shortName(name));

  return {
    clock,
    outputs,
    aws,
    engines,
    users,
    token,
    stackOutput,
    /** The name of the only resource whose logical id is this, followed by a hash of its path. */
    physicalId,
    told,
    ringing,
    printed,

    /**
     * One minute passes. What is due in it runs, and then the alarms are evaluated. A waiter's pass is shorter than a
     * minute, so a pass ends in the minute after its start, and has worked at least one whole round by then.
     */
    minute: async (): Promise<void> => {
      clock.advance(minute);
      await Promise.all(atWork);
      engines.logs.read();
      await engines.alarms.evaluate();
    },

    /**
     * Waits until the functions' logs contain this number of lines that the metric counts, and until the lines were
     * measured. Counts the lines of the last minute, or since a given time.
     */
    measured: async (
      name: string,
      { atLeast = 1, since }: { readonly atLeast?: number; readonly since?: number } = {},
    ): Promise<void> => {
      const from = since ?? clock.now() - minute;
      await waitFor(
        () => {
          engines.logs.read();
          const window = { from, to: clock.now() + minute, periodSeconds: 60, statistic: 'Sum' };
          const points = engines.metrics.query({
            namespace: 'Marquee/local',
            name,
            dimensions: {},
            ...window,
          });
          const sum = points.reduce((total, { value }) => total + value, 0);
          if (points.length === 0 || sum < atLeast) throw new Error(`${name} is ${sum}`);
        },
        { interval: 50 },
      );
    },

    /** Waits until the operator has received a message about a change of an alarm's state after this time. */
    heard: async ({ alarm, state, since }: Omit<Told, 'at'> & { readonly since: number }): Promise<void> => {
      await waitFor(
        () => {
          const found = told().filter(({ at }) => at >= since);
          if (!found.some((each) => each.alarm === alarm && each.state === state)) {
            throw new Error(`Not told of ${alarm} ${state}: ${JSON.stringify(found)}`);
          }
        },
        { interval: 20 },
      );
    },

    stop: async (): Promise<void> => {
      await pager.stop();
      await runtime.stop();
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
};
export type DrivenStage = Awaited<ReturnType<typeof startDrivenStage>>;

/** `Marquee-local-NftAlarmsNobodyWatchesAlarm12345678` is `NftAlarmsNobodyWatches`. */
const shortName = (name: string): string => name.replace(/^.*-(?=\w+$)/, '').replace(/Alarm[0-9A-F]{8}$/, '');
