import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { staging } from '../../../../config/staging.ts';
import { eventsWithoutAlarm, nftEvents } from '../../../../shared/nft/ports/metrics.ts';
import {
  outageCodes,
  publisherCodes,
  recorderCodes,
  streamCodes,
} from '../../../../shared/platform/watched.ts';
import { idleDollars } from '../../../../tools/bench/cost/idle.ts';
import { routesOf } from '../../../support/platform/api-routes.ts';
import {
  resourcesOf,
  type StackTemplate,
  templateOf,
  templateOfStage,
} from '../../../support/platform/stack.ts';

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
  (
    (Metrics ?? []) as {
      MetricStat?: { Metric: { Namespace: string; MetricName: string; Dimensions: unknown[] } };
    }[]
  ).flatMap(({ MetricStat }) => MetricStat?.Metric ?? []),
);

describe('the alarms of a stage', () => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function').map(([id]) => id);
  const methods = JSON.stringify(routesOf(template));
  const behindGateway = functions.filter((id) => methods.includes(`["${id}","Arn"]`));
  /** How many alarms watch the metric of the function. */
  const alarmsOn = (metric: string, id: string): number =>
    watching(metric, id).length +
    together.flat().filter((each) => each.MetricName === metric && JSON.stringify(each).includes(`"${id}"`))
      .length;

  it('cover the errors of every function exactly once', () => {
    expect(functions.filter((id) => alarmsOn('Errors', id) !== 1)).toEqual([]);
  });

  it('cover the throttles of functions behind API Gateway, not of those that Lambda retries by itself', () => {
    expect(functions.filter((id) => alarmsOn('Throttles', id) === 1)).toEqual(behindGateway);
  });

  it('combine at most as many metrics as CloudWatch allows', () => {
    expect(together.filter(({ length }) => length > 10)).toEqual([]);
  });

  it('include a separate alarm on the errors of each function that has no callers', () => {
    const workers = functions.filter((id) => !behindGateway.includes(id));

    expect(workers.length).toBeGreaterThan(3);
    expect(workers.filter((id) => watching('Errors', id).length !== 1)).toEqual([]);
  });

  it('cover the depth of every queue except the dead-letter queue of notifications', () => {
    const unwatched = resourcesOf(template, 'AWS::SQS::Queue')
      .map(([id]) => id)
      .filter((id) => !id.startsWith('UserDataNotificationsDeadLetters'))
      .filter((id) => watching('ApproximateNumberOfMessagesVisible', id).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it('cover the delay of every stream reader', () => {
    const unwatched = resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
      .filter(([, { Properties }]) => Properties.StartingPosition !== undefined)
      .map(([, { Properties }]) => (Properties.FunctionName as { Ref: string }).Ref)
      .filter((id) => watching('IteratorAge', id).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it('cover the latency of every API from ten requests on, and its share of 5xx if there are at least ten', () => {
    for (const [, { Properties }] of resourcesOf(template, 'AWS::ApiGateway::RestApi')) {
      const { Name } = Properties;
      const shares = (alarms as Alarm[]).filter(
        ({ Metrics }) =>
          JSON.stringify(Metrics ?? '').includes('5XXError') && JSON.stringify(Metrics).includes(`"${Name}"`),
      );
      expect(shares).toHaveLength(1);
      expect(JSON.stringify(shares[0]?.Metrics)).toContain('IF(failed >= 10, failed / calls, 0)');
      const slow = (alarms as Alarm[]).filter(
        ({ Metrics }) =>
          JSON.stringify(Metrics ?? '').includes('Latency') && JSON.stringify(Metrics).includes(`"${Name}"`),
      );
      expect(slow).toHaveLength(1);
      expect(JSON.stringify(slow[0]?.Metrics)).toContain(
        'IF(calls >= 100, slowest, IF(calls >= 10, median, 0))',
      );
    }
  });

  it.each(['ExecutionsAborted', 'ExecutionsFailed', 'ExecutionsTimedOut'])(
    'cover the metric %s of every state machine',
    (metric) => {
      const watched = JSON.stringify(together.flat().filter(({ MetricName }) => MetricName === metric));
      const machines = resourcesOf(template, 'AWS::StepFunctions::StateMachine');

      expect(machines.filter(([id]) => !watched.includes(`"${id}"`))).toEqual([]);
    },
  );

  it('cover the findings of the canary, and a canary that writes no findings', () => {
    const canary = (alarms as Alarm[]).filter(({ Dimensions }) =>
      JSON.stringify(Dimensions)?.includes('"canary"'),
    );

    expect(canary.map(({ MetricName, TreatMissingData }) => [MetricName, TreatMissingData])).toEqual([
      ['ChecksFailed', 'notBreaching'],
      ['PartsOff', 'notBreaching'],
      ['KeysUnusable', 'notBreaching'],
      ['ApiKeyRefused', 'notBreaching'],
      ['ChecksFailed', 'breaching'],
    ]);
  });

  it('have a canary that checks every mapping, schedule, forwarded log and key, except its own schedule', () => {
    const [, canary] =
      resourcesOf(template, 'AWS::Lambda::Function').find(([id]) => id.startsWith('CanaryCheckStage')) ?? [];
    const variables = JSON.stringify(canary?.Properties.Environment);
    const watched = ['AWS::Lambda::EventSourceMapping', 'AWS::KMS::Key', 'AWS::Events::Rule']
      .flatMap((type) => resourcesOf(template, type))
      .filter(([id]) => !id.startsWith('CanarySchedule'));
    const forwarded = resourcesOf(template, 'AWS::Logs::SubscriptionFilter').map(([, { Properties }]) =>
      JSON.stringify(Properties.LogGroupName),
    );

    expect(watched.length).toBeGreaterThan(7);
    expect(watched.filter(([id]) => !variables.includes(`"${id}"`))).toEqual([]);
    expect(forwarded.length).toBeGreaterThan(1);
    expect(forwarded.filter((name) => !variables.includes(name))).toEqual([]);
  });

  it('cover log lines that CloudWatch Logs fails to forward to a function', () => {
    const watched = together.flat().filter(({ Namespace }) => Namespace === 'AWS/Logs');
    const wanted = resourcesOf(template, 'AWS::Logs::SubscriptionFilter').flatMap(([id, { Properties }]) =>
      ['DeliveryErrors', 'DeliveryThrottling'].map((MetricName) => ({
        Namespace: 'AWS/Logs',
        MetricName,
        Dimensions: [
          { Name: 'DestinationType', Value: 'Lambda' },
          { Name: 'FilterName', Value: { Ref: id } },
          { Name: 'LogGroupName', Value: Properties.LogGroupName },
        ],
      })),
    );

    expect(wanted.length).toBeGreaterThan(3);
    expect(watched).toEqual(expect.arrayContaining(wanted));
  });

  it('cover runs of schedules that could not be started', () => {
    const watched = JSON.stringify(
      together.flat().filter(({ MetricName }) => MetricName === 'FailedInvocations'),
    );
    const rules = resourcesOf(template, 'AWS::Events::Rule');

    expect(rules.length).toBeGreaterThan(1);
    expect(rules.filter(([id]) => !watched.includes(`"${id}"`))).toEqual([]);
  });

  it('cover throttled reads and writes of every table and global index', () => {
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

  it.each(Object.values(nftEvents))(
    'cover the event %s of transactions, unless it needs no alarm',
    (event) => {
      const watched = (alarms as Alarm[]).filter(({ MetricName }) => MetricName === event);
      const isWatched = !eventsWithoutAlarm.some((each) => each === event);

      expect(watched).toMatchObject(
        isWatched
          ? [{ Namespace: 'Marquee/prod', Dimensions: [{ Name: 'service', Value: 'nft' }], Statistic: 'Sum' }]
          : [],
      );
    },
  );

  it.each(Object.values({ ...publisherCodes, ...recorderCodes, ...outageCodes, ...streamCodes }))(
    'cover log lines with the code %s',
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

  it('cover the quota of signatures and failed publishing to the topic', () => {
    const text = JSON.stringify(alarms);

    expect(text).toContain('CryptographicOperationsEcc');
    expect(text).toContain('"MetricName":"TopicUnavailable"');
  });

  it('are on the dashboard, beside the circuit state of the outside services', () => {
    const [dashboard] = resourcesOf(template, 'AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(dashboard?.[1].Properties.DashboardBody).replaceAll('\\"', '"');
    const shown = ['entitlement', 'geolocation', 'issuer', 'rpc'].filter((service) =>
      body.includes(`"Marquee/prod","CircuitOpen","service","${service}"`),
    );

    expect(shown).toEqual(['entitlement', 'geolocation', 'issuer', 'rpc']);
  });

  it('are on the dashboard beside the events without an alarm', () => {
    const [dashboard] = resourcesOf(template, 'AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(dashboard?.[1].Properties.DashboardBody).replaceAll('\\"', '"');
    const shown = eventsWithoutAlarm.filter((event) =>
      body.includes(`"Marquee/prod","${event}","service","nft",{"label":"${event}","stat":"Sum"}`),
    );

    expect(shown).toEqual(eventsWithoutAlarm);
  });

  it('publish to topics that accept only alarms of this account', () => {
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

  it('use topics and a canary log that are encrypted with another key than the data', () => {
    const topics = new Set(
      (alarms as Alarm[]).flatMap(({ AlarmActions }) =>
        (AlarmActions as { Ref: string }[]).map(({ Ref }) => Ref),
      ),
    );
    const needed = (id: string) => topics.has(id) || id.startsWith('CanaryCheckStageLogs');
    const keysOf = (of: (id: string) => boolean) =>
      Object.entries(template.Resources)
        .filter(([id]) => of(id))
        .flatMap(([, { Properties = {} }]) =>
          [Properties.KmsMasterKeyId, Properties.KmsKeyId, Properties.SSESpecification]
            .filter((each) => each !== undefined)
            .map((each) => /"(\w*EncryptionKey\w*)"/.exec(JSON.stringify(each))?.[1]),
        );
    const ofAlarms = keysOf(needed);
    const ofData = new Set(keysOf((id) => !needed(id)));

    expect(ofAlarms).toHaveLength(topics.size + 1);
    expect([new Set(ofAlarms).size, ofData.size]).toEqual([1, 1]);
    expect(ofData).not.toContain(ofAlarms[0]);
  });

  it('include one for rehearsals whose topic has no subscriber', () => {
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

  it('that roll back a deployment are those for 5xx of an API and for the canary', () => {
    const { Value } = template.Outputs.RollbackTriggerArns ?? {};
    const { 'Fn::Join': parts } = Value as { 'Fn::Join': [string, { 'Fn::GetAtt': [string, string] }[]] };
    const triggers = parts[1].map(({ 'Fn::GetAtt': [id, attribute] }) => [
      (alarms as Alarm[])
        .find((alarm) => alarm.id === id)
        ?.AlarmDescription?.toString()
        .split('#')[1],
      attribute,
    ]);

    expect(triggers.toSorted()).toEqual([
      ['a-public-address-does-not-answer', 'Arn'],
      ...Array.from({ length: 3 }, () => ['an-api-answers-5xx', 'Arn']),
      ['the-canary-is-silent', 'Arn'],
    ]);
  });

  it('describe the problem, name a runbook section, and publish their start and end to one topic', () => {
    const real = (alarms as Alarm[]).filter(({ MetricName }) => MetricName !== 'Rehearsal');
    for (const { AlarmDescription, AlarmActions, OKActions } of real) {
      expect(AlarmDescription).toMatch(/^.{20,}\. What to do: docs\/runbook\.md#[a-z0-9-]+$/s);
      expect(AlarmActions).toHaveLength(1);
      expect(OKActions).toEqual(AlarmActions);
    }
  });
});

describe('a stage without alarms', () => {
  const without = templateOfStage({ ...staging, alarms: false });

  it('has no alarms, canary or alarm topics, and costs less', () => {
    const types = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard'];
    expect(types.map((type) => resourcesOf(without, type).length)).toEqual([0, 1]);
    expect(Object.keys(without.Resources).filter((id) => /Alarm|Canary/.test(id))).toEqual([]);
    expect(
      Object.keys(without.Outputs ?? {}).filter((name) => /Alarm|Rehearsal|Rollback/.test(name)),
    ).toEqual([]);
    expect(idleDollars(templateOfStage(staging)) - idleDollars(without)).toBeGreaterThan(18);
  });

  it('cannot have email addresses for alarms', () => {
    expect(() =>
      templateOfStage({ ...staging, alarms: false, alarmEmails: ['operators@example.com'] }),
    ).toThrow('alarmEmails: must be empty on a stage without alarms');
  });
});

describe('the budgets of a stage', () => {
  const stage = { ...prod, alarmEmails: ['operators@example.com'], monthlyBudget: 2_000 };

  it('notify the alarm addresses of a monthly and of a daily limit', () => {
    const budgets = resourcesOf(templateOfStage(stage), 'AWS::Budgets::Budget').map(
      ([, { Properties }]) => Properties,
    );
    const subscriber = { SubscriptionType: 'EMAIL', Address: 'operators@example.com' };
    const told = (...thresholds: number[]) =>
      thresholds.map((Threshold) => ({
        Notification: expect.objectContaining({ Threshold, ComparisonOperator: 'GREATER_THAN' }),
        Subscribers: [subscriber],
      }));

    expect(budgets).toMatchObject([
      {
        Budget: expect.objectContaining({ TimeUnit: 'DAILY', BudgetLimit: { Amount: 200, Unit: 'USD' } }),
        NotificationsWithSubscribers: told(100),
      },
      {
        Budget: expect.objectContaining({ TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 2_000, Unit: 'USD' } }),
        NotificationsWithSubscribers: told(80, 100),
      },
    ]);
  });

  it('have no fixed name, because CloudFormation replaces them when the addresses change', () => {
    const budgets = resourcesOf(templateOfStage(stage), 'AWS::Budgets::Budget');

    expect(budgets.filter(([, { Properties }]) => 'BudgetName' in (Properties.Budget as object))).toEqual([]);
  });

  it('require at least one address for alarms', () => {
    expect(() => templateOfStage({ ...stage, alarmEmails: [] })).toThrow(
      'monthlyBudget: needs one to ten alarmEmails',
    );
  });
});

describe('the severity of alarms', () => {
  const topicsOf = (of: StackTemplate) => {
    const alarms = resourcesOf(of, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => ({
      id,
      actions: JSON.stringify(Properties.AlarmActions),
    }));
    const count = (topic: string) => alarms.filter(({ actions }) => actions.includes(`"${topic}`)).length;
    return { page: count('AlarmTopic'), ticket: count('TicketTopic'), all: alarms.length };
  };
  const emails = { page: ['night@example.com'], ticket: ['day@example.com'] };

  it('changes nothing while the stage has one list of addresses: every alarm but the test alarm has one topic', () => {
    const { page, ticket, all } = topicsOf(templateOfStage({ ...prod, alarmEmails: ['all@example.com'] }));

    expect({ page, ticket }).toEqual({ page: all - 1, ticket: 0 });
  });

  it('splits the alarms between two topics, each with its addresses', () => {
    const split = templateOfStage({ ...prod, alarmEmails: emails });

    const { page, ticket, all } = topicsOf(split);
    expect(page + ticket).toBe(all - 1);
    expect(Math.min(page, ticket)).toBeGreaterThan(10);
    const subscribed = resourcesOf(split, 'AWS::SNS::Subscription').flatMap(([, { Properties }]) =>
      Properties.Protocol === 'email'
        ? [`${Properties.Endpoint} ${JSON.stringify(Properties.TopicArn).match(/(Alarm|Ticket)Topic/)?.[0]}`]
        : [],
    );
    expect(subscribed.sort()).toEqual(['day@example.com TicketTopic', 'night@example.com AlarmTopic']);
    expect(split.Outputs).toHaveProperty('TicketTopicArn');
  });

  it('of an endpoint that begins to fail is a ticket, and of an API that answers 5xx a page', () => {
    const split = templateOfStage({ ...prod, alarmEmails: emails });
    const topicOf = (part: string) =>
      resourcesOf(split, 'AWS::CloudWatch::Alarm')
        .filter(([id]) => id.includes(part))
        .map(
          ([, { Properties }]) => JSON.stringify(Properties.AlarmActions).match(/(Alarm|Ticket)Topic/)?.[0],
        );

    expect(topicOf('EndpointBeginsToFail')).toEqual(['TicketTopic']);
    expect(new Set(topicOf('ServerErrors'))).toEqual(new Set(['AlarmTopic']));
  });
});
