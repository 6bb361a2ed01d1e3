import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountId } from '../../engines/account.ts';
import { parseCondition } from '../../engines/iam/conditions.ts';
import { createIdentities } from '../../engines/iam/engine.ts';
import type { Trust } from '../../engines/iam/types.ts';
import { createLogs } from '../../engines/logs/engine.ts';
import { compilePattern } from '../../engines/logs/pattern.ts';
import type { Logs } from '../../engines/logs/types.ts';
import type { Datum } from '../../engines/metrics/types.ts';
import { createDeliveryStatus } from '../../engines/sns-delivery/delivery-status.ts';
import type { FinishedDelivery } from '../../engines/sns-delivery/types.ts';
import { waitFor } from '../../testing/wait.ts';

const target = 'arn:aws:lambda:us-east-1:000000000000:function:fn';
const group = 'sns/us-east-1/000000000000/topic';

let logDirectory: string;
let logs: Logs;
let invoked: unknown[];
let measured: Datum[];
let isPermitted: boolean;
let isThere: boolean;
/** Whether a function finishes before the process stops. */
let isHandedOver: boolean;

const startLogs = () =>
  createLogs({
    logDirectory,
    waitingFile: join(logDirectory, 'waiting.jsonl'),
    lambda: {
      has: (name) => isThere && name === target,
      mayInvoke: ({ principal, sourceArn }) =>
        isPermitted &&
        principal === 'logs.amazonaws.com' &&
        sourceArn === `arn:aws:logs:us-east-1:000000000000:log-group:${group}:*`,
      enqueue: async (_target, event) => {
        invoked.push(event);
        return isHandedOver;
      },
    },
    metrics: {
      put: (datum) => {
        measured.push(datum);
      },
    },
    clock: Date.now,
  });

beforeEach(() => {
  logDirectory = mkdtempSync(join(tmpdir(), 'logs-'));
  invoked = [];
  measured = [];
  isPermitted = true;
  isThere = true;
  isHandedOver = true;
  logs = startLogs();
});
afterEach(() => {
  logs.stop();
  rmSync(logDirectory, { recursive: true });
});

const filter = (changes = {}) => ({
  name: 'one',
  groupName: group,
  pattern: '',
  destinationArn: target,
  ...changes,
});

describe('a log subscription filter', () => {
  it('is rejected for a log group that does not exist', () => {
    expect(() => logs.putSubscriptionFilter(filter())).toThrow('The specified log group does not exist');
  });

  it('is rejected as the third filter of a log group', () => {
    logs.createGroup(group);
    logs.putSubscriptionFilter(filter({ name: 'one' }));
    logs.putSubscriptionFilter(filter({ name: 'two' }));

    expect(() => logs.putSubscriptionFilter(filter({ name: 'three' }))).toThrow('Resource limit exceeded');
    expect(() => logs.putSubscriptionFilter(filter({ name: 'two' }))).not.toThrow();
  });

  it("is rejected when the function's permissions do not allow CloudWatch Logs to invoke it", () => {
    logs.createGroup(group);
    isPermitted = false;

    expect(() => logs.putSubscriptionFilter(filter())).toThrow('Could not execute the lambda function');
  });

  it('passes a line on again after a restart only if the function had not accepted it before', async () => {
    const event = { groupName: group, streamName: 's', timestamp: 1 };
    logs.createGroup(group);
    logs.putSubscriptionFilter(filter());
    logs.write({ ...event, message: 'ended' });
    await waitFor(() => expect(readFileSync(join(logDirectory, 'waiting.jsonl'), 'utf8')).toBe(''));
    isHandedOver = false;
    logs.write({ ...event, message: 'cut off' });
    await waitFor(() => expect(invoked).toHaveLength(2));
    const [, cutOff] = invoked;
    invoked = [];

    isHandedOver = true;
    for (let time = 0; time < 2; time++) {
      logs.stop();
      logs = startLogs();
      logs.createGroup(group);
      logs.putSubscriptionFilter(filter());
      await waitFor(() => expect(readFileSync(join(logDirectory, 'waiting.jsonl'), 'utf8')).toBe(''));
    }

    expect(invoked).toEqual([cutOff]);
  });

  it.each([
    ['the function may not be invoked any more', () => (isPermitted = false)],
    ['the function is gone', () => (isThere = false)],
  ])('loses and counts lines that are logged while %s', async (_, fault) => {
    logs.createGroup(group);
    logs.putSubscriptionFilter(filter());
    const event = { groupName: group, streamName: 's', timestamp: 1 };

    fault();
    for (const message of ['first', 'second']) logs.write({ ...event, message });

    await waitFor(() => expect(measured).toHaveLength(1));
    expect(measured).toMatchObject([
      {
        namespace: 'AWS/Logs',
        name: 'DeliveryErrors',
        dimensions: { LogGroupName: group, DestinationType: 'Lambda', FilterName: 'one' },
        value: 2,
      },
    ]);
    expect(invoked).toEqual([]);
    await waitFor(() => expect(readFileSync(join(logDirectory, 'waiting.jsonl'), 'utf8')).toBe(''));
  });

  it('passes on lines that are logged together in one call, and only lines that match its pattern', async () => {
    const failure = '{"status":"FAILURE"}';
    logs.createGroup(group);
    logs.putSubscriptionFilter(filter({ pattern: '{ $.status = "FAILURE" }' }));

    for (const message of [failure, '{"status":"SUCCESS"}', failure]) {
      logs.write({ groupName: group, streamName: 's', timestamp: 1, message });
    }

    await waitFor(() => expect(invoked).toHaveLength(1));
    const [event] = invoked as { awslogs: { data: string } }[];
    const { logEvents } = JSON.parse(gunzipSync(Buffer.from(event?.awslogs.data ?? '', 'base64')).toString());
    expect(logEvents.map(({ message }: { message: string }) => message)).toEqual([failure, failure]);
  });
});

describe('a log filter pattern', () => {
  const message = JSON.stringify({ status: 'FAILURE', delivery: { attempts: 3, statusCode: 503 } });

  it.each([
    ['', true],
    ['{ $.status = "FAILURE" }', true],
    ['{ $.status != "FAILURE" }', false],
    ['{ $.missing != "FAILURE" }', false],
    ['{ ($.delivery.attempts > 2) && ($.delivery.statusCode = 503) }', true],
    ['{ $.delivery.attempts <= 2 }', false],
    ['{ ($.status = "SUCCESS") || ($.delivery.attempts = 3) }', true],
    ['{ $.status = "SUCCESS" || $.delivery.attempts = 2 }', false],
    ['{ $.delivery.missing NOT EXISTS }', true],
    ['{ $.delivery.attempts NOT EXISTS }', false],
  ])('%s matches a line about a failure: %s', (pattern, expected) => {
    expect(compilePattern(pattern)(message)).toBe(expected);
  });

  it.each(['FAILURE', '{ $.a IS NULL }', '{ $.a EXISTS }', '[a, b]'])(
    'is rejected if it is %s',
    (pattern) => {
      expect(() => compilePattern(pattern)).toThrow('the local runtime does not support');
    },
  );
});

describe('the delivery-status log of a topic', () => {
  const roleArn = 'arn:aws:iam::000000000000:role/log';
  const roles = { successRoleArn: roleArn, failureRoleArn: roleArn };
  const logging = { 'http/s': roles };
  const sampling = (successSamplePercent: number) => ({ 'http/s': { ...roles, successSamplePercent } });
  const delivery: FinishedDelivery = {
    type: 'Notification',
    succeeded: true,
    protocol: 'https',
    topicArn: 'arn:aws:sns:us-east-1:000000000000:topic',
    messageId: '1',
    message: 'hello',
    publishedAt: 0,
    handedOverAt: 4,
    endedAt: 5,
    endpoint: 'https://example.com',
    attempts: 1,
    providerResponse: 'OK',
    statusCode: 200,
  };
  const forAccount = (account: string): Trust => ({
    service: 'sns.amazonaws.com',
    holds: parseCondition({ StringEquals: { 'aws:SourceAccount': [account] } }),
  });
  const under = (actions: readonly string[], trusts: Trust = 'sns.amazonaws.com') => {
    const identities = createIdentities();
    identities.registerRole({ arn: roleArn, name: 'log', trusts: [trusts] });
    if (actions.length > 0) {
      identities.attachPolicy('log', {
        Version: '2012-10-17',
        Statement: { Effect: 'Allow', Action: actions, Resource: 'arn:aws:logs:*:*:log-group:sns/*' },
      });
    }
    return createDeliveryStatus({ logs, identities });
  };
  const written = () => readdirSync(logDirectory).filter((name) => !name.startsWith('waiting'));

  it.each<[string, () => void]>([
    ['a topic that asks for none', () => under(['logs:*'])(delivery, {})],
    [
      'a role that may not write',
      () => under(['logs:CreateLogGroup', 'logs:CreateLogStream'])(delivery, logging),
    ],
    ['a role that SNS cannot assume', () => under(['logs:*'], 'lambda.amazonaws.com')(delivery, logging)],
    [
      'a role that SNS may assume for another account',
      () => under(['logs:*'], forAccount('111111111111'))(delivery, logging),
    ],
    [
      'a role that may make no stream',
      () => under(['logs:CreateLogGroup', 'logs:PutLogEvents'])(delivery, logging),
    ],
    [
      'a group that is not there and that the role may not make',
      () => under(['logs:CreateLogStream', 'logs:PutLogEvents'])(delivery, logging),
    ],
    [
      'a group that is there and that the role could not have made',
      () => {
        logs.createGroup('sns/us-east-1/000000000000/topic');
        under(['logs:CreateLogStream', 'logs:PutLogEvents'])(delivery, logging);
      },
    ],
    ['a topic that samples no success', () => under(['logs:*'])(delivery, sampling(0))],
    [
      'a queue, if the topic asks only for HTTP(S)',
      () => under(['logs:*'])({ ...delivery, protocol: 'sqs' }, logging),
    ],
  ])('is not written for %s', (_what, log) => {
    log();

    expect(written()).toEqual([]);
  });

  it('is written if only SNS for this account can assume the role', () => {
    under(['logs:*'], forAccount(accountId))(delivery, logging);

    expect(written()).toEqual(['sns']);
  });

  it('is written for every failure, whatever the sample rate is', () => {
    under(['logs:*'])({ ...delivery, succeeded: false }, sampling(0));

    expect(written()).toEqual(['sns']);
  });
});

describe('a log line', () => {
  const line = (message: unknown) => ({
    groupName: group,
    streamName: 'local',
    timestamp: 1_000,
    message: JSON.stringify(message),
  });
  const byEndpoint = {
    name: 'failures',
    groupName: group,
    pattern: '{ $.status = "FAILURE" }',
    namespace: 'Shop',
    metric: 'DeliveryFailures',
    value: '1',
    dimensions: { Endpoint: '$.delivery.destination' },
  };
  beforeEach(() => logs.createGroup(group));

  it("is measured by each metric filter that it matches, with the filter's dimensions", () => {
    logs.putMetricFilter(byEndpoint);
    logs.putMetricFilter({
      ...byEndpoint,
      name: 'dwell',
      metric: 'Dwell',
      value: '$.delivery.ms',
      dimensions: {},
    });

    logs.write(line({ status: 'FAILURE', delivery: { destination: 'https://a', ms: 250 } }));
    logs.write(line({ status: 'SUCCESS', delivery: { destination: 'https://a', ms: 250 } }));

    expect(measured).toEqual([
      {
        namespace: 'Shop',
        name: 'DeliveryFailures',
        dimensions: { Endpoint: 'https://a' },
        value: 1,
        at: 1_000,
      },
      { namespace: 'Shop', name: 'Dwell', dimensions: {}, value: 250, at: 1_000 },
    ]);
  });

  it('is not measured when it lacks a dimension or the value', () => {
    logs.putMetricFilter(byEndpoint);
    logs.putMetricFilter({ ...byEndpoint, name: 'dwell', value: '$.delivery.ms', dimensions: {} });

    logs.write(line({ status: 'FAILURE' }));

    expect(measured).toEqual([]);
  });

  it('in the embedded metric format adds the values that it contains to its metrics', () => {
    const CloudWatchMetrics = [
      {
        Namespace: 'Shop',
        Dimensions: [['service', 'signer']],
        Metrics: [{ Name: 'InFlight' }, { Name: 'Age' }],
      },
    ];
    const event = {
      _aws: { Timestamp: 5, CloudWatchMetrics },
      service: 'nft',
      signer: '1',
      InFlight: [2, 3],
      Age: 4,
    };

    logs.write(line(event));

    const series = { namespace: 'Shop', dimensions: { service: 'nft', signer: '1' }, at: 5 };
    expect(measured).toEqual([
      { ...series, name: 'InFlight', value: 2 },
      { ...series, name: 'InFlight', value: 3 },
      { ...series, name: 'Age', value: 4 },
    ]);
  });

  it('in the log file of a function is measured by the filters of its log group', async () => {
    const file = join(logDirectory, 'function.log');
    writeFileSync(file, `${JSON.stringify({ status: 'FAILURE', delivery: { destination: 'before' } })}\n`);
    logs.putMetricFilter(byEndpoint);
    logs.follow({ groupName: group, file });

    appendFileSync(file, 'START\n{"status":"FAILURE","delivery":{"dest');
    appendFileSync(file, 'ination":"https://a"}}\n');

    await waitFor(() => expect(measured).toHaveLength(1));
    expect(measured[0]?.dimensions).toEqual({ Endpoint: 'https://a' });
  });
});
