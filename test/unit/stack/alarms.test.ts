import { describe, expect, it } from 'vitest';
import { nftEvents } from '../../../shared/nft/ports/events.ts';
import { outageCodes, publisherCodes, recorderCodes, streamCodes } from '../../../shared/watched.ts';
import { resourcesOf, templateOf } from '../../support/stack.ts';

const template = templateOf('prod');
const topicPolicies = resourcesOf(template, 'AWS::SNS::TopicPolicy').map(([, { Properties }]) => Properties);
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => ({
  id,
  ...Properties,
}));
type Alarm = (typeof alarms)[number] & Readonly<Record<string, unknown>>;

const watching = (metric: string, resource: unknown) =>
  (alarms as Alarm[]).filter(
    ({ MetricName, Dimensions }) =>
      MetricName === metric && JSON.stringify(Dimensions ?? []).includes(`"${resource}"`),
  );

/** The metrics of each alarm that combines several. */
const together = (alarms as Alarm[]).map(({ Metrics }) =>
  ((Metrics ?? []) as { MetricStat?: { Metric: { MetricName: string; Dimensions: unknown[] } } }[]).flatMap(
    ({ MetricStat }) => MetricStat?.Metric ?? [],
  ),
);

describe('alarms', () => {
  it.each(['Errors', 'Throttles'])('watch the %s of every function once', (metric) => {
    const unwatched = resourcesOf(template, 'AWS::Lambda::Function')
      .map(([id]) => id)
      .filter((id) => {
        const withOthers = together
          .flat()
          .filter((each) => each.MetricName === metric && JSON.stringify(each).includes(`"${id}"`));
        return watching(metric, id).length + withOthers.length !== 1;
      });

    expect(unwatched).toEqual([]);
  });

  it('combine no more metrics than an alarm may', () => {
    expect(together.filter(({ length }) => length > 10)).toEqual([]);
  });

  it('watch alone the errors of what works for no caller', () => {
    const methods = JSON.stringify(resourcesOf(template, 'AWS::ApiGateway::Method'));
    const workers = resourcesOf(template, 'AWS::Lambda::Function')
      .map(([id]) => id)
      .filter((id) => !methods.includes(`["${id}","Arn"]`));

    expect(workers.length).toBeGreaterThan(3);
    expect(workers.filter((id) => watching('Errors', id).length !== 1)).toEqual([]);
  });

  it('watch the depth of every queue', () => {
    const unwatched = resourcesOf(template, 'AWS::SQS::Queue')
      .map(([id]) => id)
      .filter((id) => watching('ApproximateNumberOfMessagesVisible', id).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it('watch how far every stream reader is behind', () => {
    const unwatched = resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
      .filter(([, { Properties }]) => Properties.StartingPosition !== undefined)
      .map(([, { Properties }]) => (Properties.FunctionName as { Ref: string }).Ref)
      .filter((id) => watching('IteratorAge', id).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it.each(['5XXError', 'Latency'])('watch %s of every API', (metric) => {
    const unwatched = resourcesOf(template, 'AWS::ApiGateway::RestApi')
      .map(([, { Properties }]) => Properties.Name)
      .filter((name) => watching(metric, name).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it('watch every state machine for executions that fail', () => {
    const unwatched = resourcesOf(template, 'AWS::StepFunctions::StateMachine').filter(
      ([id]) => watching('ExecutionsFailed', id).length !== 1,
    );

    expect(unwatched).toEqual([]);
  });

  it('watch the refusals of every table and of each of its global indexes', () => {
    const watched = together
      .flat()
      .map(({ MetricName, Dimensions }) => `${MetricName} ${JSON.stringify(Dimensions)}`);
    const unwatched = resourcesOf(template, 'AWS::DynamoDB::Table').flatMap(([id, { Properties }]) => {
      const indexes = (Properties.GlobalSecondaryIndexes ?? []) as { IndexName: string }[];
      const table = { Name: 'TableName', Value: { Ref: id } };
      return [
        [table],
        ...indexes.map(({ IndexName }) => [{ Name: 'GlobalSecondaryIndexName', Value: IndexName }, table]),
      ]
        .flatMap((dimensions) =>
          ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
            (metric) => `${metric} ${JSON.stringify(dimensions)}`,
          ),
        )
        .filter((metric) => !watched.includes(metric));
    });

    expect(unwatched).toEqual([]);
  });

  it.each(Object.values(nftEvents))('watch for %s, which functions write of transactions', (event) => {
    const watched = (alarms as Alarm[]).filter(({ MetricName }) => MetricName === event);

    expect(watched).toMatchObject([
      { Namespace: 'Marquee/prod', Dimensions: [{ Name: 'service', Value: 'nft' }], Statistic: 'Sum' },
    ]);
  });

  it.each(Object.values({ ...publisherCodes, ...recorderCodes, ...outageCodes, ...streamCodes }))(
    'watch for lines of functions with the code %s',
    (code) => {
      const counted = resourcesOf(template, 'AWS::Logs::MetricFilter').flatMap(([, { Properties }]) =>
        String(Properties.FilterPattern).includes(`"${code}"`)
          ? (Properties.MetricTransformations as { MetricNamespace: string; MetricName: string }[])
          : [],
      );

      expect(counted.length).toBeGreaterThan(0);
      for (const { MetricNamespace, MetricName } of counted) {
        expect(
          (alarms as Alarm[]).filter(
            (alarm) => alarm.MetricName === MetricName && alarm.Namespace === MetricNamespace,
          ),
        ).toHaveLength(1);
      }
    },
  );

  it('watch the quota of signatures and the refusals of the topic', () => {
    const text = JSON.stringify(alarms);

    expect(text).toContain('CryptographicOperationsEcc');
    expect(text).toContain('"MetricName":"TopicUnavailable"');
  });

  it('are on the dashboard, beside the outside services that are not being called', () => {
    const [dashboard] = resourcesOf(template, 'AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(dashboard?.[1].Properties.DashboardBody).replaceAll('\\"', '"');
    const shown = ['entitlement', 'geolocation', 'issuer', 'rpc'].filter((service) =>
      body.includes(`"Marquee/prod","CircuitOpen","service","${service}"`),
    );

    expect(shown).toEqual(['entitlement', 'geolocation', 'issuer', 'rpc']);
  });

  it('each speak to a topic that lets the alarms of this account publish, and nobody else’s', () => {
    const told = new Set(
      (alarms as Alarm[]).flatMap(({ AlarmActions }) =>
        (AlarmActions as { Ref: string }[]).map(({ Ref }) => Ref),
      ),
    );

    expect(told.size).toBe(2);
    for (const topic of told) {
      const statements = topicPolicies
        .filter(({ Topics }) => JSON.stringify(Topics).includes(`"${topic}"`))
        .flatMap(({ PolicyDocument }) => (PolicyDocument as { Statement: unknown[] }).Statement);
      expect(statements).toContainEqual({
        Sid: 'Alarms',
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: { Ref: topic },
        Condition: {
          StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          ArnLike: {
            'aws:SourceArn': {
              'Fn::Join': [
                '',
                [
                  'arn:',
                  { Ref: 'AWS::Partition' },
                  ':cloudwatch:',
                  { Ref: 'AWS::Region' },
                  ':',
                  { Ref: 'AWS::AccountId' },
                  ':alarm:*',
                ],
              ],
            },
          },
        },
      });
    }
  });

  it('have a rehearsal that tells a topic to which nobody is subscribed', () => {
    const [rehearsal, ...others] = (alarms as Alarm[]).filter(({ MetricName }) => MetricName === 'Rehearsal');
    const [topic] = (rehearsal?.AlarmActions ?? []) as { Ref: string }[];
    const subscribed = resourcesOf(template, 'AWS::SNS::Subscription').filter(([, { Properties }]) =>
      JSON.stringify(Properties.TopicArn).includes(`"${topic?.Ref}"`),
    );

    expect(others).toEqual([]);
    expect(topic).toBeDefined();
    expect(rehearsal?.OKActions).toBeUndefined();
    expect(subscribed).toEqual([]);
  });

  it('say what goes wrong and name a runbook, and tell the same topic when they go off and when it is over', () => {
    const real = (alarms as Alarm[]).filter(({ MetricName }) => MetricName !== 'Rehearsal');
    for (const { AlarmDescription, AlarmActions, OKActions } of real) {
      expect(AlarmDescription).toMatch(/^.{20,}\. What to do: docs\/runbook\.md#[a-z0-9-]+$/s);
      expect(AlarmActions).toHaveLength(1);
      expect(OKActions).toEqual(AlarmActions);
    }
  });
});
