import { randomUUID } from 'node:crypto';
import * as apiGateway from '@aws-sdk/client-api-gateway';
import * as cloudFormation from '@aws-sdk/client-cloudformation';
import * as kms from '@aws-sdk/client-kms';
import * as lambda from '@aws-sdk/client-lambda';
import * as sns from '@aws-sdk/client-sns';
import * as sqs from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';
import { differencesFromModel, recordAnswers } from '../support/answer-model.ts';

const stack = 'app-local';
const account = 'arn:aws:iam::000000000000:root';
const mapping = randomUUID();

let endpoint: TestEndpoint;

/** What the call's answer has or lacks, compared with AWS's model of the operation. */
const differences = async (
  sdk: Readonly<Record<string, unknown>>,
  operation: string,
  input: object,
): Promise<string[]> => {
  const Client = Object.entries(sdk).find(([name]) => /^[A-Za-z]+Client$/.test(name))?.[1] as new (
    settings: object,
  ) => { config: { requestHandler: unknown }; send(command: unknown): Promise<unknown> };
  const Command = sdk[`${operation}Command`] as new (input: object) => unknown;
  const client = new Client(endpoint.client);
  const answer = recordAnswers(client);
  await client.send(new Command(input)).catch(() => {});
  return differencesFromModel(sdk[`${operation}$`], answer());
};

const aQueue = async (): Promise<string> => {
  const client = new sqs.SQSClient(endpoint.client);
  const { QueueUrl = '' } = await client.send(new sqs.CreateQueueCommand({ QueueName: `q-${randomUUID()}` }));
  await client.send(new sqs.SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
  return QueueUrl;
};
const aKey = (multiRegion = false): string =>
  endpoint.keys.createKey({
    keyId: randomUUID(),
    description: 'Signs',
    keySpec: 'ECC_SECG_P256K1',
    keyUsage: 'SIGN_VERIFY',
    multiRegion,
    policy: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: account }, Action: 'kms:*', Resource: '*' }],
    },
  }).keyId;
const aTopic = async (): Promise<string> => {
  const client = new sns.SNSClient(endpoint.client);
  const { TopicArn = '' } = await client.send(new sns.CreateTopicCommand({ Name: `t-${randomUUID()}` }));
  return TopicArn;
};

beforeAll(async () => {
  let concurrency: number | undefined = 3;
  endpoint = await startAwsEndpoint({
    lambda: {
      reserve: (_, wanted) => {
        concurrency = wanted;
      },
      reserved: () => concurrency,
    },
    stacks: [
      {
        name: stack,
        arn: `arn:aws:cloudformation:us-east-1:000000000000:stack/${stack}/1`,
        creationTime: new Date('2026-11-20T00:00:00Z'),
        terminationProtection: false,
        parameters: { Stage: 'local' },
        outputs: [{ key: 'BaseUrl', value: 'http://127.0.0.1:3000/base' }],
        resources: [
          { logicalId: 'Secret', physicalId: 'arn', type: 'AWS::SecretsManager::Secret', attributes: {} },
        ],
      },
    ],
  });
  endpoint.eventSources.map({
    id: mapping,
    kind: 'queue',
    eventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:queue',
    functionName: 'fn',
    enabled: false,
    batchSize: 10,
    batchingWindowSeconds: 0,
    filters: [],
    reportBatchItemFailures: false,
    bisectBatchOnFunctionError: false,
    maximumRetryAttempts: -1,
    maximumRecordAgeSeconds: -1,
  });
  endpoint.gateway.addApi({ id: 'api', name: 'app-base', minimumCompressionBytes: undefined } as never);
});
afterAll(() => endpoint.stop());

describe('an answer has what AWS’s model of the operation has, and nothing else:', () => {
  it.each<[operation: string, sdk: Readonly<Record<string, unknown>>, input: () => Promise<object> | object]>(
    [
      ['CreateQueue', sqs, () => ({ QueueName: `q-${randomUUID()}` })],
      ['GetQueueAttributes', sqs, async () => ({ QueueUrl: await aQueue(), AttributeNames: ['QueueArn'] })],
      [
        'SetQueueAttributes',
        sqs,
        async () => ({ QueueUrl: await aQueue(), Attributes: { VisibilityTimeout: '20' } }),
      ],
      [
        'ReceiveMessage',
        sqs,
        async () => ({ QueueUrl: await aQueue(), MessageAttributeNames: ['All'], AttributeNames: ['All'] }),
      ],
      ['ListQueues', sqs, () => ({})],
      [
        'Subscribe',
        sns,
        async () => ({ TopicArn: await aTopic(), Protocol: 'email', Endpoint: 'a@example.com' }),
      ],
      [
        'ListSubscriptionsByTopic',
        sns,
        async () => {
          const TopicArn = await aTopic();
          const input = { TopicArn, Protocol: 'email', Endpoint: 'a@example.com' };
          await new sns.SNSClient(endpoint.client).send(new sns.SubscribeCommand(input));
          return { TopicArn };
        },
      ],
      [
        'SetTopicAttributes',
        sns,
        async () => ({ TopicArn: await aTopic(), AttributeName: 'DisplayName', AttributeValue: 'x' }),
      ],
      ['DescribeKey', kms, () => ({ KeyId: aKey() })],
      ['DescribeKey', kms, () => ({ KeyId: aKey(true) })],
      ['GetPublicKey', kms, () => ({ KeyId: aKey() })],
      ['GetKeyPolicy', kms, () => ({ KeyId: aKey() })],
      ['DisableKey', kms, () => ({ KeyId: aKey() })],
      ['EnableKey', kms, () => ({ KeyId: aKey() })],
      ['ScheduleKeyDeletion', kms, () => ({ KeyId: aKey() })],
      ['ReplicateKey', kms, () => ({ KeyId: aKey(true), ReplicaRegion: 'eu-west-1' })],
      [
        'PutKeyPolicy',
        kms,
        async () => {
          const KeyId = aKey();
          const { Policy } = await new kms.KMSClient(endpoint.client).send(
            new kms.GetKeyPolicyCommand({ KeyId }),
          );
          return { KeyId, Policy };
        },
      ],
      ['ListKeys', kms, () => ({})],
      ['GetEventSourceMapping', lambda, () => ({ UUID: mapping })],
      ['UpdateEventSourceMapping', lambda, () => ({ UUID: mapping, Enabled: false })],
      ['GetFunctionConcurrency', lambda, () => ({ FunctionName: 'fn' })],
      ['PutFunctionConcurrency', lambda, () => ({ FunctionName: 'fn', ReservedConcurrentExecutions: 1 })],
      ['DeleteFunctionConcurrency', lambda, () => ({ FunctionName: 'fn' })],
      ['DescribeStacks', cloudFormation, () => ({ StackName: stack })],
      ['ListStackResources', cloudFormation, () => ({ StackName: stack })],
      ['DescribeStackResources', cloudFormation, () => ({ StackName: stack })],
      [
        'CreateBasePathMapping',
        apiGateway,
        () => ({ domainName: 'example.com', basePath: 'base-2', restApiId: 'api', stage: 'local' }),
      ],
      ['DeleteBasePathMapping', apiGateway, () => ({ domainName: 'example.com', basePath: 'base-2' })],
    ],
  )('%s', async (operation, sdk, input) => {
    expect(await differences(sdk, operation, await input())).toEqual([]);
  });
});
