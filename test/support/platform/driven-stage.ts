import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { SubscribeCommand } from '@aws-sdk/client-sns';
import { vi } from 'vitest';
import { startRuntime } from '../../../local/runtime.ts';
import { drivenClock } from '../../../packages/template-runtime/test/support/driven-clock.ts';
import { startCustomerEndpoint } from '../notifications/customer-endpoint.ts';
import { userDataOf } from '../users/user-data-system.ts';
import type { System } from './system.ts';

const minute = 60_000;
/** How long a minute waits for the functions that a schedule started. One that fails is tried again a minute later. */
const longestRunMilliseconds = 10_000;

/** What the operator is told of an alarm. */
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
  const physicalId = async (LogicalResourceId: string): Promise<string> => {
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

  const scheduled = new Set<Promise<unknown>>();
  const { enqueue } = engines.lambda;
  Object.assign(engines.lambda, {
    enqueue: (target: string, event: unknown) => {
      const run = enqueue(target, event);
      const ended = Promise.race([
        run,
        new Promise((resolve) => setTimeout(resolve, longestRunMilliseconds).unref()),
      ]).finally(() => scheduled.delete(ended));
      scheduled.add(ended);
      return run;
    },
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
    physicalId,
    told,
    ringing,
    printed,

    /** One minute passes. What is due in it runs, and then the alarms are evaluated. */
    minute: async (): Promise<void> => {
      clock.advance(minute);
      await Promise.all(scheduled);
      engines.logs.read();
      await engines.alarms.evaluate();
    },

    /**
     * Waits until functions' logs have so many lines that this metric of the stage counts, and has measured them.
     * Lines of the last minute count, or those since a time.
     */
    measured: async (
      name: string,
      { atLeast = 1, since }: { readonly atLeast?: number; readonly since?: number } = {},
    ): Promise<void> => {
      const from = since ?? clock.now() - minute;
      await vi.waitFor(
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
        { timeout: 60_000, interval: 50 },
      );
    },

    /** Waits until the operator was told of a change of an alarm's state after this time. */
    heard: async ({ alarm, state, since }: Omit<Told, 'at'> & { readonly since: number }): Promise<void> => {
      await vi.waitFor(
        () => {
          const found = told().filter(({ at }) => at >= since);
          if (!found.some((each) => each.alarm === alarm && each.state === state)) {
            throw new Error(`Not told of ${alarm} ${state}: ${JSON.stringify(found)}`);
          }
        },
        { timeout: 20_000, interval: 20 },
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
