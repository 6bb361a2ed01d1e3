import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { toldTables } from '../../../../operator/notifications/failed-changes/failed-change.ts';
import { sectionsOf } from '../../../support/platform/runbook.ts';
import {
  resourcesOf,
  type StackResource,
  templateOf,
  templateOfStage,
} from '../../../support/platform/stack.ts';

const template = templateOf('prod');

const only = (type: string, which: string): [id: string, properties: StackResource['Properties']] => {
  const found = resourcesOf(template, type).filter(([id]) => id.startsWith(which));
  expect(found).toHaveLength(1);
  return [found[0]?.[0] ?? '', found[0]?.[1].Properties ?? {}];
};

const getAtt = (id: string, attribute: string) => ({ 'Fn::GetAtt': [id, attribute] });

const [topicId, topic] = only('AWS::SNS::Topic', 'UserDataNotificationsTopic');
const [deadLettersId] = only('AWS::SQS::Queue', 'UserDataNotificationsDeadLetters');
const [failedChangesId] = only('AWS::SQS::Queue', 'UserDataPublisherFailedChanges');
const [usersId, users] = only('AWS::DynamoDB::Table', 'UserDataUsers');
const [transactionsId, transactions] = only('AWS::DynamoDB::Table', 'NftTablesTransactions');
const [publisherId] = only('AWS::Lambda::Function', 'UserDataPublisher');

const patternWithQueue = (before: string, after: string) => {
  const [recordQueueId] = resourcesOf(template, 'AWS::SNS::Subscription').map(
    ([, { Properties }]) =>
      (Properties as { Endpoint: { 'Fn::GetAtt': [string] } }).Endpoint['Fn::GetAtt'][0],
  );
  return { 'Fn::Join': ['', [before, getAtt(recordQueueId ?? '', 'Arn'), after]] };
};

const statementsOf = (type: string, which: string) =>
  (only(type, which)[1].PolicyDocument as { Statement: Record<string, unknown>[] }).Statement;

describe('the notification topic in the template', () => {
  it('signs with SHA256, is encrypted, and logs every delivery', () => {
    expect(topic).toMatchObject({
      SignatureVersion: '2',
      KmsMasterKeyId: expect.anything(),
      DeliveryStatusLogging: ['http/s', 'sqs'].map((Protocol) => ({
        Protocol,
        FailureFeedbackRoleArn: expect.anything(),
        SuccessFeedbackRoleArn: expect.anything(),
        SuccessFeedbackSampleRate: '100',
      })),
    });
  });

  it('has encrypted logs with a retention time', () => {
    const groups = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([id]) =>
      id.startsWith('UserDataNotifications'),
    );

    expect(groups).toHaveLength(2);
    for (const [, { Properties }] of groups) {
      expect(Properties).toMatchObject({ RetentionInDays: 365, KmsKeyId: expect.anything() });
    }
  });

  it('has a metric of failures by endpoint, which the dashboard shows', () => {
    const [, filter] = only('AWS::Logs::MetricFilter', 'UserDataRecordFailuresByEndpoint');
    const [, dashboard] = only('AWS::CloudWatch::Dashboard', '');

    expect(filter).toMatchObject({
      LogGroupName: { Ref: expect.stringMatching(/^UserDataRecordRecordNotifications/) },
      FilterPattern: '{ $.code = "DELIVERIES_FAILED" }',
      MetricTransformations: [
        {
          MetricName: 'DeliveryFailures',
          MetricValue: '$.count',
          Dimensions: [{ Key: 'Endpoint', Value: '$.endpoint' }],
        },
      ],
    });
    expect(JSON.stringify(dashboard)).toContain('DeliveryFailures');
  });

  it('has a metric of the time until an endpoint gets a notification', () => {
    const [, filter] = only('AWS::Logs::MetricFilter', 'UserDataNotificationsDelays');

    expect(filter).toMatchObject({
      LogGroupName: { Ref: expect.stringMatching(/^UserDataNotificationsDeliveryLog/) },
      FilterPattern: patternWithQueue('{ ($.status = "SUCCESS") && ($.delivery.destination != "', '") }'),
      MetricTransformations: [{ MetricName: 'DeliveryMilliseconds', MetricValue: '$.delivery.dwellTimeMs' }],
    });
  });

  it('does not record deliveries to the queue of the records', () => {
    const filters = resourcesOf(template, 'AWS::Logs::SubscriptionFilter');

    expect(filters).toHaveLength(2);
    for (const [, { Properties }] of filters) {
      expect(Properties).toMatchObject({
        FilterPattern: patternWithQueue(
          '{ ($.delivery.destination != "',
          '") || ($.delivery.destination NOT EXISTS) }',
        ),
      });
    }
  });

  it('has the same filters again after the remedy of the runbook', () => {
    const page = readFileSync(new URL('../../../../docs/runbook.md', import.meta.url), 'utf8');
    const remedy = sectionsOf(page)
      .flatMap(({ code }) => code)
      .find((code) => code.startsWith('aws logs put-subscription-filter'));
    const [, pattern = ''] = / --filter-pattern '([^']*)' /.exec(remedy ?? '') ?? [];
    const [before = '', after = ''] = pattern.split('<ARN of the queue>');

    for (const [, { Properties }] of resourcesOf(template, 'AWS::Logs::SubscriptionFilter')) {
      expect(Properties.FilterPattern).toEqual(patternWithQueue(before, after));
    }
  });

  it('accepts messages only over TLS', () => {
    expect(statementsOf('AWS::SNS::TopicPolicy', 'UserDataNotifications')).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sns:Publish',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });
});

describe('the dead-letter queue in the template', () => {
  it('accepts messages only from the topic, and only over TLS', () => {
    const statements = statementsOf('AWS::SQS::QueuePolicy', 'UserDataNotificationsDeadLetters');

    expect(statements.filter(({ Effect }) => Effect === 'Allow')).toEqual([
      {
        Effect: 'Allow',
        Action: 'sqs:SendMessage',
        Principal: { Service: 'sns.amazonaws.com' },
        Resource: getAtt(deadLettersId, 'Arn'),
        Condition: { ArnEquals: { 'aws:SourceArn': { Ref: topicId } } },
      },
    ]);
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sqs:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });

  it('is encrypted with a key that SNS can use for this account', () => {
    const [, key] = only('AWS::KMS::Key', 'EncryptionKey');
    const { Statement } = key.KeyPolicy as { Statement: { Principal: { Service?: string | string[] } }[] };

    const forSns = Statement.filter(({ Principal }) =>
      [Principal.Service].flat().includes('sns.amazonaws.com'),
    );

    expect(forSns).toEqual([
      expect.objectContaining({
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });
});

describe('the publisher in the template', () => {
  it('reads each decision in the transaction log once, and skips the kinds of which customers are not notified', () => {
    const [, mapping] = only('AWS::Lambda::EventSourceMapping', 'UserDataPublisherDecisions');

    const { Filters } = mapping.FilterCriteria as { Filters: { Pattern: string }[] };
    expect(transactions.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      {
        eventName: ['MODIFY'],
        dynamodb: {
          OldImage: { status: { S: ['pending'] } },
          NewImage: {
            status: { S: ['confirmed', 'failed'] },
            purpose: {
              M: {
                kind: {
                  S: [
                    'deploy',
                    'mint',
                    'claim',
                    'update-metadata',
                    'update-contract-metadata',
                    'set-royalty',
                    'revoke',
                  ],
                },
              },
            },
          },
        },
      },
    ]);
  });

  it.each([
    ['users’', 'UserDataPublisherChanges', usersId],
    ['transaction log’s', 'UserDataPublisherDecisions', transactionsId],
  ])(
    'reads the %s stream from its beginning, reports single failures, and limits its retries',
    (_, id, table) => {
      const [, mapping] = only('AWS::Lambda::EventSourceMapping', id);

      expect(users.StreamSpecification).toEqual({ StreamViewType: 'NEW_IMAGE' });
      expect(mapping).toMatchObject({
        EventSourceArn: getAtt(table, 'StreamArn'),
        FunctionName: { Ref: publisherId },
        StartingPosition: 'TRIM_HORIZON',
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 500,
        MaximumRecordAgeInSeconds: 6 * 3_600,
        DestinationConfig: { OnFailure: { Destination: getAtt(failedChangesId, 'Arn') } },
      });
    },
  );

  it('and that of events give up only batches of streams that a redrive knows', () => {
    const streams = resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
      .filter(([, { Properties }]) =>
        JSON.stringify(Properties.DestinationConfig ?? '').includes(failedChangesId),
      )
      .map(([, { Properties }]) => Properties.EventSourceArn);
    const known = Object.values(toldTables).map(
      (output) => template.Outputs[output]?.Value as { Ref: string },
    );

    expect(streams).toHaveLength(known.length);
    expect(streams).toEqual(expect.arrayContaining(known.map(({ Ref }) => getAtt(Ref, 'StreamArn'))));
  });

  it("can publish to the topic and put changes aside, but cannot read users' data", () => {
    const [, role] = only('AWS::IAM::Role', 'UserDataPublisher');
    const policies = role.Policies as { PolicyDocument: { Statement: { Resource: unknown }[] } }[];
    const granted = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

    expect(granted).toContainEqual({ Effect: 'Allow', Action: 'sns:Publish', Resource: { Ref: topicId } });
    expect(granted).toContainEqual({
      Effect: 'Allow',
      Action: 'sqs:SendMessage',
      Resource: getAtt(failedChangesId, 'Arn'),
    });
    expect(granted.map(({ Resource }) => Resource)).not.toContainEqual(getAtt(usersId, 'Arn'));
  });
});

describe("the read-only keys of users' data", () => {
  const keysOf = (of: typeof template): unknown => {
    const puts = resourcesOf(of, 'AWS::Lambda::Function').filter(([id]) =>
      id.startsWith('UserDataPutUserData'),
    );
    return puts.map(([, { Properties }]) => {
      const { Variables } = Properties.Environment as { Variables: Record<string, string> };
      return JSON.parse(String(Variables.READ_ONLY_KEYS));
    });
  };

  it('are those of the stage, and empty by default', () => {
    const userData = { readOnlyKeys: ['is_club', 'club_id'] };

    expect(keysOf(template)).toEqual([[]]);
    expect(keysOf(templateOfStage({ ...prod, userData }))).toEqual([['is_club', 'club_id']]);
  });
});
