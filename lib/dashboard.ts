import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import type { StageConfig } from '../config/stage.ts';
import { circuitMetric } from '../shared/watched.ts';
import { ServiceAlarm } from './constructs/alarm.ts';
import { MarqueeFunction } from './constructs/marquee-function.ts';
import { MarqueeTable } from './constructs/marquee-table.ts';
import { metricsNamespace } from './constructs/metrics-namespace.ts';
import { ServiceApi } from './constructs/service-api.ts';
import { NotificationTopic } from './user-data/notification-topic.ts';

type Class<Instance> = abstract new (...parameters: never[]) => Instance;

const width = 24;
const period = Duration.minutes(5);

/** One dashboard for the whole stack, built from the stack's contents: declare it last. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    const all = Stack.of(this).node.findAll();
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName: `marquee-${stage.name}`,
      defaultInterval: Duration.hours(12),
    });
    const alarms = instancesOf(all, ServiceAlarm);
    dashboard.addWidgets(
      new cloudwatch.AlarmStatusWidget({
        title: 'Alarms; each says what to do',
        alarms: alarms.map(({ alarm }) => alarm),
        width,
        height: 8,
      }),
    );
    for (const { api } of instancesOf(all, ServiceApi)) {
      dashboard.addWidgets(...ofApi(api.restApiName, api));
    }
    dashboard.addWidgets(...ofFunctions(instancesOf(all, MarqueeFunction)));
    dashboard.addWidgets(ofQueues(instancesOf(all, Queue)));
    dashboard.addWidgets(ofCircuits(stage));
    dashboard.addWidgets(...instancesOf(all, NotificationTopic).map(ofDeliveries));
    // What an area measures of its own work, besides every function, table and API.
    const ofAreas = alarms.filter(({ node }) => !isCommon(node.scope));
    dashboard.addWidgets(
      ...ofAreas.map(
        ({ alarm, node }) =>
          new cloudwatch.AlarmWidget({
            title: `${node.scope?.node.id} ${node.id}`,
            alarm,
            width: 6,
            height: 5,
          }),
      ),
    );
  }
}

function instancesOf<Instance extends IConstruct>(
  all: readonly IConstruct[],
  type: Class<Instance>,
): Instance[] {
  return all.filter((construct): construct is Instance => construct instanceof type);
}

function isCommon(scope: IConstruct | undefined): boolean {
  return (
    scope instanceof MarqueeTable ||
    scope?.node.scope instanceof MarqueeFunction ||
    scope?.node.scope instanceof ServiceApi
  );
}

function ofApi(title: string, api: ServiceApi['api']): cloudwatch.IWidget[] {
  const graph = (what: string, left: cloudwatch.IMetric[]) =>
    new cloudwatch.GraphWidget({ title: `${title}: ${what}`, left, width: width / 3 });
  return [
    graph('requests', [api.metricCount({ period, statistic: 'Sum' })]),
    graph('refused and failed', [
      api.metricClientError({ period, statistic: 'Sum' }),
      api.metricServerError({ period, statistic: 'Sum' }),
    ]),
    graph(
      'milliseconds',
      ['p50', 'p99'].map((statistic) => api.metricLatency({ period, statistic, label: statistic })),
    ),
  ];
}

function ofFunctions(functions: readonly MarqueeFunction[]): cloudwatch.IWidget[] {
  const graph = (
    title: string,
    metric: (of: MarqueeFunction['function'], label: string) => cloudwatch.IMetric,
  ) =>
    new cloudwatch.GraphWidget({
      title,
      left: functions.map((each) => metric(each.function, each.node.id)),
      width: width / 4,
      height: 8,
    });
  return [
    graph('Functions: errors', (of, label) => of.metricErrors({ period, label })),
    graph('Functions: throttles', (of, label) => of.metricThrottles({ period, label })),
    graph('Functions: p99 milliseconds', (of, label) =>
      of.metricDuration({ period, label, statistic: 'p99' }),
    ),
    graph('Functions: at once', (of, label) =>
      of.metric('ConcurrentExecutions', { period, label, statistic: 'Maximum' }),
    ),
  ];
}

function ofDeliveries(topic: NotificationTopic): cloudwatch.IWidget {
  return new cloudwatch.GraphWidget({
    title: 'Notifications that an endpoint did not take',
    left: [topic.failuresByEndpoint(period)],
    width,
  });
}

/** 1 where an environment's circuit for the service is open. */
function ofCircuits(stage: StageConfig): cloudwatch.IWidget {
  return new cloudwatch.GraphWidget({
    title: 'Outside services with an open circuit (1), in any environment',
    left: ['entitlement', 'geolocation', 'issuer', 'rpc'].map(
      (service) =>
        new cloudwatch.Metric({
          namespace: metricsNamespace(stage),
          metricName: circuitMetric,
          dimensionsMap: { service },
          statistic: 'Maximum',
          label: service,
          period,
        }),
    ),
    width,
  });
}

function ofQueues(queues: readonly Queue[]): cloudwatch.IWidget {
  const metrics = queues.map((queue) =>
    queue.metricApproximateNumberOfMessagesVisible({
      period,
      statistic: 'Maximum',
      label: queue.node.scope?.node.id ?? queue.node.id,
    }),
  );
  return new cloudwatch.GraphWidget({ title: 'Queues of what failed: messages', left: metrics, width });
}
