import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PublishCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deploy } from '../../assembly/deployment.ts';
import { parseTemplate } from '../../assembly/template.ts';
import type { Engines } from '../../engines/engines.ts';
import { resourceTypes } from '../../resources/index.ts';
import { startEngines } from '../../start-engines.ts';
import { bundleFunction, temporaryDirectory } from '../../testing/bundles.ts';
import { trustAuthority } from '../../testing/trust-authority.ts';
import { waitFor } from '../../testing/wait.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

type Resources = Record<string, { Type: string; Properties: Record<string, unknown>; DependsOn?: string[] }>;

const group = 'sns/us-east-1/000000000000/Deliveries';
const topicArn = 'arn:aws:sns:us-east-1:000000000000:Deliveries';
const deadline = { interval: 50 };
const policy = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const trust = (Service: string) =>
  policy({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service } });

const filter = (groupId: string, FilterPattern: string) => ({
  Type: 'AWS::Logs::SubscriptionFilter',
  Properties: {
    DestinationArn: { 'Fn::GetAtt': ['Fn', 'Arn'] },
    FilterPattern,
    LogGroupName: { Ref: groupId },
  },
  DependsOn: ['MayInvoke'],
});

const template = (): Resources => ({
  FnRole: {
    Type: 'AWS::IAM::Role',
    Properties: { AssumeRolePolicyDocument: trust('lambda.amazonaws.com') },
  },
  Fn: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: 'assets', S3Key: 'fn.zip' },
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Role: { 'Fn::GetAtt': ['FnRole', 'Arn'] },
    },
  },
  MayInvoke: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': ['Fn', 'Arn'] },
      Principal: 'logs.amazonaws.com',
      SourceArn: 'arn:aws:logs:us-east-1:000000000000:log-group:sns/*',
    },
  },
  LogRole: {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: trust('sns.amazonaws.com'),
      Policies: [
        {
          PolicyName: 'Write',
          PolicyDocument: policy({
            Effect: 'Allow',
            Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
            Resource: `arn:aws:logs:us-east-1:000000000000:log-group:${group}*`,
          }),
        },
      ],
    },
  },
  Topic: {
    Type: 'AWS::SNS::Topic',
    Properties: {
      TopicName: 'Deliveries',
      DeliveryStatusLogging: [
        {
          Protocol: 'http/s',
          SuccessFeedbackRoleArn: { 'Fn::GetAtt': ['LogRole', 'Arn'] },
          FailureFeedbackRoleArn: { 'Fn::GetAtt': ['LogRole', 'Arn'] },
          SuccessFeedbackSampleRate: '100',
        },
      ],
    },
  },
  Log: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: group } },
  Failures: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: `${group}/Failure` } },
  Successes: filter('Log', ''),
  GivenUp: filter('Failures', '{ $.status = "FAILURE" && $.delivery.statusCode >= 500 }'),
});

const statusLine = z.strictObject({
  notification: z.strictObject({
    messageMD5Sum: z.string().regex(/^[0-9a-f]{32}$/),
    messageId: z.uuid(),
    topicArn: z.literal(topicArn),
    timestamp: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
  }),
  delivery: z.strictObject({
    deliveryId: z.uuid(),
    destination: z.url(),
    providerResponse: z.string(),
    dwellTimeMs: z.int().nonnegative(),
    attempts: z.int().positive(),
    statusCode: z.int(),
  }),
  status: z.enum(['SUCCESS', 'FAILURE']),
});
const logsEvent = z.strictObject({
  messageType: z.literal('DATA_MESSAGE'),
  owner: z.literal('000000000000'),
  logGroup: z.string(),
  logStream: z.string(),
  subscriptionFilters: z.array(z.string()),
  logEvents: z.array(z.strictObject({ id: z.string().length(56), timestamp: z.int(), message: z.string() })),
});

let directory: string;
let engines: Engines;
let receiver: Receiver;
let sns: SNSClient;
const running = new AsyncDisposableStack();

const deployed = (resources: Resources) =>
  deploy({
    assembly: {
      directory,
      stackName: 'Stack',
      terminationProtection: false,
      template: parseTemplate({ Resources: resources }, 'a template'),
    },
    engines,
    resourceTypes,
    parameters: {},
    region: 'us-east-1',
    accountId: '000000000000',
  });

/** The decoded events about one message with which the function was invoked. */
const handedOver = async (messageId: string | undefined) => {
  const text = await readFile(join(directory, 'given'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((data) => logsEvent.parse(JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString())))
    .filter(({ logEvents }) => logEvents.some(({ message }) => message.includes(String(messageId))));
};

const publish = async (message: string) =>
  (await sns.send(new PublishCommand({ TopicArn: topicArn, Message: message }))).MessageId;

beforeAll(async () => {
  directory = await temporaryDirectory();
  const bundle = await bundleFunction(`
    import { appendFileSync } from 'node:fs';
    export const handler = async ({ awslogs }) => appendFileSync(${JSON.stringify(join(directory, 'given'))}, awslogs.data + '\\n');
  `);
  await rename(bundle, join(directory, 'asset.fn'));
  const started = await startEngines(
    {
      ports: { aws: 0, chain: 0 },
      stateDirectory: directory,
      trustedAuthorities: [],
      trustForwardedFor: false,
      dynamodbEndpoint: undefined,
      log: console.error,
      onFailure: console.error,
    },
    running,
  );
  engines = started.engines;
  const stack = await deployed(template());
  started.endpoint.serve({ engines, stacks: () => [{ ...stack, creationTime: new Date() }] });
  await engines.messaging.start();
  sns = new SNSClient({
    endpoint: started.endpoint.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  trustAuthority(started.endpoint.certificateAuthorityFile);
  receiver = await startReceiver();
  running.defer(() => receiver.stop());
  await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: 'http',
      Endpoint: receiver.url,
      Attributes: {
        DeliveryPolicy: JSON.stringify({ healthyRetryPolicy: { numRetries: 2, numNoDelayRetries: 2 } }),
      },
    }),
  );
  const confirmation = await waitFor(() => {
    const [post] = receiver.of('SubscriptionConfirmation');
    if (!post) throw new Error('not yet');
    return z.object({ SubscribeURL: z.url() }).parse(JSON.parse(post.body));
  }, deadline);
  await fetch(confirmation.SubscribeURL);
});
afterAll(() => running.disposeAsync());
beforeEach(() => receiver.react(() => 200));

describe('the delivery-status log of an SNS topic', () => {
  it("contains one line per delivery after all its attempts, and passes the line to the filter's function", async () => {
    receiver.react(() => (receiver.of('Notification').length === 1 ? 500 : 200));

    const messageId = await publish('hello');

    const [given, ...others] = await waitFor(async () => {
      const events = await handedOver(messageId);
      expect(events).not.toEqual([]);
      return events;
    }, deadline);
    expect(others).toEqual([]);
    expect(given).toMatchObject({ logGroup: group, subscriptionFilters: ['Stack-Successes'] });
    // Lines of other messages may be handed over together with it.
    const own = given?.logEvents.find(({ message }) => message.includes(String(messageId)));
    const line = statusLine.parse(JSON.parse(own?.message ?? ''));
    expect(line).toMatchObject({
      notification: { messageId, messageMD5Sum: '5d41402abc4b2a76b9719d911017c592' },
      delivery: { destination: receiver.url, attempts: 2, statusCode: 200, providerResponse: 'OK' },
      status: 'SUCCESS',
    });
    const file = await readFile(join(directory, 'logs', `${group}.log`), 'utf8');
    expect(file.split('\n').filter((each) => each.includes(String(messageId)))).toHaveLength(1);
  });

  it('contains failed deliveries in a second log group, and passes only lines that match the filter', async () => {
    receiver.react(() => 404);
    const refused = await publish('refused');
    await waitFor(async () => {
      expect(await readFile(join(directory, 'logs', `${group}/Failure.log`), 'utf8')).toContain(refused);
    }, deadline);
    receiver.react(() => 503);
    const failed = await publish('failed');

    const [given] = await waitFor(async () => {
      const events = await handedOver(failed);
      expect(events).not.toEqual([]);
      return events;
    }, deadline);

    expect(given?.logGroup).toBe(`${group}/Failure`);
    const line = statusLine.parse(JSON.parse(given?.logEvents[0]?.message ?? ''));
    expect(line).toMatchObject({ delivery: { attempts: 3, statusCode: 503 }, status: 'FAILURE' });
    expect(await handedOver(refused)).toEqual([]);
  });
});
