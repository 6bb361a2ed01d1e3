import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';

const account = '000000000000';
const alarmArn = (name: string) => `arn:aws:cloudwatch:us-east-1:${account}:alarm:${name}`;

let endpoint: TestEndpoint;
let tests = 0;
let alarmName: string;
let topicArn: string;
let queueArn: string;

const overTls = {
  Sid: 'TlsOnly',
  Effect: 'Deny',
  Principal: '*',
  Action: 'sns:Publish',
  Resource: '*',
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
};
const admittingAlarms = (alarms: string) => ({
  Sid: 'Alarms',
  Effect: 'Allow',
  Principal: { Service: 'cloudwatch.amazonaws.com' },
  Action: 'sns:Publish',
  Resource: '*',
  Condition: { StringEquals: { 'aws:SourceAccount': account }, ArnLike: { 'aws:SourceArn': alarms } },
});
const document = (...Statement: unknown[]) => ({ Version: '2012-10-17', Statement });
const encryptedUnder = (keyId: string, service: string) =>
  endpoint.keys.createKey({
    keyId,
    description: 'Encrypts topics',
    keySpec: 'SYMMETRIC_DEFAULT',
    keyUsage: 'ENCRYPT_DECRYPT',
    multiRegion: false,
    policy: document({
      Effect: 'Allow',
      Principal: { Service: service },
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Resource: '*',
      Condition: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  }).arn;

beforeAll(async () => {
  endpoint = await startAwsEndpoint();
});
afterAll(() => endpoint.stop());
beforeEach(async () => {
  tests += 1;
  alarmName = `alarm-${tests}`;
  ({ arn: topicArn } = await endpoint.messaging.createTopic({ name: `alarms-${tests}`, attributes: {} }));
  const admitted = { Effect: 'Allow', Principal: { Service: 'sns.amazonaws.com' }, Resource: '*' };
  ({ arn: queueArn } = await endpoint.messaging.createQueue({
    name: `told-${tests}`,
    attributes: { Policy: JSON.stringify(document({ ...admitted, Action: 'sqs:SendMessage' })) },
  }));
  await endpoint.messaging.subscribe({
    topicArn,
    protocol: 'sqs',
    endpoint: queueArn,
    attributes: { RawMessageDelivery: 'true' },
  });
  endpoint.alarms.declare({
    name: alarmName,
    arn: alarmArn(alarmName),
    description: 'Nothing works',
    actionsEnabled: true,
    actions: { ALARM: [topicArn], OK: [], INSUFFICIENT_DATA: [] },
    watched: { MetricName: 'Errors', Threshold: 1 },
  });
});

/** A call in the protocol of CloudWatch's SDK client, AWS JSON 1.0. */
const cloudwatch = async (
  operation: string,
  input: object,
  { accessKeyId } = endpoint.client.credentials,
): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20261121/us-east-1/monitoring/aws4_request`,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `GraniteServiceVersion20100801.${operation}`,
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
};
const set = async (StateValue: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA') => {
  const change = { AlarmName: alarmName, StateValue, StateReason: 'A test' };
  expect((await cloudwatch('SetAlarmState', change)).status).toBe(200);
};
const historySchema = z.object({
  AlarmHistoryItems: z.array(z.object({ HistorySummary: z.string(), HistoryData: z.string() })),
});
const actions = async () => {
  const { body } = await cloudwatch('DescribeAlarmHistory', {
    AlarmName: alarmName,
    HistoryItemType: 'Action',
  });
  return historySchema.parse(body).AlarmHistoryItems.map(({ HistorySummary, HistoryData }) => ({
    summary: HistorySummary,
    data: JSON.parse(HistoryData),
  }));
};
/** What SNS has delivered to the queue, which may take a moment. */
const told = async (waitSeconds = 10) => {
  const messages = await endpoint.messaging.receive({ queueArn, maximum: 10, waitSeconds });
  return messages.map(({ body }) => JSON.parse(body));
};

describe('an alarm whose state is set', () => {
  it('publishes to its topic and records the action in its history', async () => {
    await endpoint.messaging.setTopicAttributes(topicArn, {
      Policy: JSON.stringify(document(overTls, admittingAlarms(alarmArn('*')))),
    });

    await set('ALARM');

    const { body } = await cloudwatch('DescribeAlarms', { AlarmNames: [alarmName] });
    expect(body.MetricAlarms).toMatchObject([
      { AlarmArn: alarmArn(alarmName), StateValue: 'ALARM', StateReason: 'A test', MetricName: 'Errors' },
    ]);
    expect(await told()).toMatchObject([
      {
        AlarmName: alarmName,
        NewStateValue: 'ALARM',
        OldStateValue: 'INSUFFICIENT_DATA',
        NewStateReason: 'A test',
      },
    ]);
    expect(await actions()).toMatchObject([
      {
        summary: `Successfully executed action ${topicArn}`,
        data: { actionState: 'Succeeded', notificationResource: topicArn, error: null },
      },
    ]);
  });

  it('publishes to a topic that has only the default policy of SNS', async () => {
    await set('ALARM');

    expect(await told()).toHaveLength(1);
  });

  it.each([
    ['closes the topic to plain text and says nothing else', () => document(overTls)],
    [
      'admits alarms of another account',
      () => document(admittingAlarms('arn:aws:cloudwatch:us-east-1:1:alarm:*')),
    ],
    [
      'admits another service',
      () => document({ ...admittingAlarms(alarmArn('*')), Principal: { Service: 'events.amazonaws.com' } }),
    ],
  ])("does not publish when the topic's policy %s", async (_, policy) => {
    await endpoint.messaging.setTopicAttributes(topicArn, { Policy: JSON.stringify(policy()) });

    await set('ALARM');

    expect(await told(1)).toEqual([]);
    expect(await actions()).toMatchObject([
      {
        summary: expect.stringContaining('is not authorized to perform: SNS:Publish'),
        data: { actionState: 'Failed' },
      },
    ]);
  });

  it.each([
    ['cloudwatch.amazonaws.com', 1],
    ['sns.amazonaws.com', 0],
  ])('publishes to a topic with a key that allows %s, number of messages: %d', async (service, count) => {
    const keyId = `00000000-0000-4000-8000-00000000000${count}`;
    await endpoint.messaging.setTopicAttributes(topicArn, {
      Policy: JSON.stringify(document(admittingAlarms(alarmArn('*')))),
      KmsMasterKeyId: encryptedUnder(keyId, service),
    });

    await set('ALARM');

    expect(await told(count === 0 ? 1 : undefined)).toHaveLength(count);
    const [action] = await actions();
    if (count === 0)
      expect(action?.summary).toContain('authorization to access the SNS topic encryption key');
    else expect(action?.data.actionState).toBe('Succeeded');
  });

  it.each(['Disabled', 'PendingDeletion'] as const)(
    'publishes to a topic whose own key is enabled while another key is %s, and not under that other key',
    async (state) => {
      const policy = JSON.stringify(document(admittingAlarms(alarmArn('*'))));
      const [own, other] = ['a', 'b'].map(
        (digit) => `00000000-0000-4000-8000-${state === 'Disabled' ? '1' : '2'}0000000000${digit}`,
      ) as [string, string];
      const ownArn = encryptedUnder(own, 'cloudwatch.amazonaws.com');
      const otherArn = encryptedUnder(other, 'cloudwatch.amazonaws.com');
      endpoint.keys.setState(other, state);

      await endpoint.messaging.setTopicAttributes(topicArn, { Policy: policy, KmsMasterKeyId: otherArn });
      await set('ALARM');
      const under = await told(1);
      await endpoint.messaging.setTopicAttributes(topicArn, { Policy: policy, KmsMasterKeyId: ownArn });
      await set('OK');
      await set('ALARM');

      expect(under).toEqual([]);
      expect(await told()).toHaveLength(1);
    },
  );

  it('does nothing when its state stays the same or becomes one without actions', async () => {
    await set('INSUFFICIENT_DATA');
    await set('OK');

    expect(await actions()).toEqual([]);
  });

  it('causes ResourceNotFound when no alarm has that name', async () => {
    const change = { AlarmName: 'no-such-alarm', StateValue: 'ALARM', StateReason: 'A test' };

    expect(await cloudwatch('SetAlarmState', change)).toMatchObject({
      status: 404,
      body: { __type: 'ResourceNotFound' },
    });
  });

  it("causes AccessDenied when the policy of the caller's role does not allow SetAlarmState", async () => {
    const { credentials } = endpoint.clientOf(
      document({ Effect: 'Allow', Action: 'cloudwatch:SetAlarmState', Resource: alarmArn('another') }),
    );
    const change = { AlarmName: alarmName, StateValue: 'ALARM', StateReason: 'A test' };

    const { body } = await cloudwatch('SetAlarmState', change, credentials);

    expect(body.__type).toBe('AccessDeniedException');
    expect(await told(1)).toEqual([]);
  });
});
