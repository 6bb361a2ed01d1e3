import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct } from 'constructs';
import { circuitMetric } from '../shared/watched.ts';
import { ServiceAlarm } from './constructs/alarm.ts';
import { MarqueeFunction } from './constructs/marquee-function.ts';
import { MarqueeTable } from './constructs/marquee-table.ts';
import { ServiceApi } from './constructs/service-api.ts';
import { metricsNamespace, stageOf } from './constructs/stage.ts';

const width = 24;

/** Adds one dashboard for the whole stack. Call this last: it is built from the constructs already in the stack. */
export function addDashboard(scope: Construct): void {
  const all = Stack.of(scope).node.findAll();
  const namespace = metricsNamespace(scope);
  const alarms = all.filter((each) => each instanceof ServiceAlarm);
  // The alarms that are specific to an area, without those that every function, table or API has.
  const ofAreas = alarms.filter(({ node }) => !isCommon(node.scope));
  new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: `marquee-${stageOf(scope).name}`,
    defaultInterval: Duration.hours(12),
    widgets: [
      [
        new cloudwatch.AlarmStatusWidget({
          title: 'Alarms; each says what to do',
          alarms: alarms.map(({ alarm }) => alarm),
          width,
          height: 8,
        }),
      ],
      ...all.filter((each) => each instanceof ServiceApi).map(ofApi),
      ofFunctions(all.filter((each) => each instanceof MarqueeFunction)),
      [ofQueues(all.filter((each) => each instanceof Queue))],
      [ofCircuits(namespace)],
      [ofEndpoints(namespace)],
      ofAreas.map(({ alarm, node }) => {
        const title = `${node.scope?.node.id} ${node.id}`;
        return new cloudwatch.AlarmWidget({ title, alarm, width: 6, height: 5 });
      }),
    ],
  });
}

const graph = (title: string, left: cloudwatch.IMetric[], size: Partial<cloudwatch.GraphWidgetProps> = {}) =>
  new cloudwatch.GraphWidget({ title, left, width, ...size });

const isCommon = (scope: IConstruct | undefined): boolean =>
  scope instanceof MarqueeTable ||
  scope?.node.scope instanceof MarqueeFunction ||
  scope?.node.scope instanceof ServiceApi;

function ofApi({ api }: ServiceApi): cloudwatch.IWidget[] {
  const third = (what: string, metrics: cloudwatch.IMetric[]) =>
    graph(`${api.restApiName}: ${what}`, metrics, { width: width / 3 });
  const sum = { statistic: 'Sum' };
  const percentiles = ['p50', 'p99'].map((each) => api.metricLatency({ statistic: each, label: each }));
  return [
    third('requests', [api.metricCount(sum)]),
    third('refused and failed', [api.metricClientError(sum), api.metricServerError(sum)]),
    third('milliseconds', percentiles),
  ];
}

function ofFunctions(functions: readonly MarqueeFunction[]): cloudwatch.IWidget[] {
  const quarter = (title: string, metricName: string, statistic: string) => {
    const metrics = functions.map((each) =>
      each.function.metric(metricName, { label: each.node.id, statistic }),
    );
    return graph(`Functions: ${title}`, metrics, { width: width / 4, height: 8 });
  };
  return [
    quarter('errors', 'Errors', 'Sum'),
    quarter('throttles', 'Throttles', 'Sum'),
    quarter('p99 milliseconds', 'Duration', 'p99'),
    quarter('at once', 'ConcurrentExecutions', 'Maximum'),
  ];
}

function ofQueues(queues: readonly Queue[]): cloudwatch.IWidget {
  const messages = queues.map((queue) =>
    queue.metricApproximateNumberOfMessagesVisible({ label: queue.node.scope?.node.id ?? queue.node.id }),
  );
  return graph('Queues of what failed: messages', messages);
}

/** Shows 1 while a function instance skips calls to the service because its circuit breaker is open. */
function ofCircuits(namespace: string): cloudwatch.IWidget {
  const circuits = ['entitlement', 'geolocation', 'issuer', 'rpc'].map((service) => {
    const dimensionsMap = { service };
    const metric = { namespace, metricName: circuitMetric, dimensionsMap, label: service };
    return new cloudwatch.Metric({ ...metric, statistic: 'Maximum' });
  });
  return graph('Outside services with an open circuit (1), in any environment', circuits);
}

/** Deliveries that have failed for good, by the endpoint's id. The recorder of notifications counts them. */
function ofEndpoints(namespace: string): cloudwatch.IWidget {
  const expression = `SEARCH('{${namespace},Endpoint} MetricName="DeliveryFailures"', 'Sum')`;
  const failures = new cloudwatch.MathExpression({ expression, label: '' });
  return graph('Notifications that an endpoint did not take', [failures]);
}
