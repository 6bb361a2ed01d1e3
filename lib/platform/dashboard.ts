import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct, IConstruct } from 'constructs';
import { eventsWithoutAlarm } from '../../shared/nft/ports/metrics.ts';
import { circuitMetric } from '../../shared/platform/watched.ts';
import { PooledAlarms, ServiceAlarm } from './constructs/alarm.ts';
import { MarqueeFunction } from './constructs/marquee-function.ts';
import { ServiceApi } from './constructs/service-api.ts';
import { metricsNamespace, stageOf } from './constructs/stage.ts';

const width = 24;

/** Adds one dashboard for the whole stack. Call this last: it is built from the constructs already in the stack. */
export function addDashboard(scope: Construct): void {
  const all = Stack.of(scope).node.findAll();
  const namespace = metricsNamespace(scope);
  const alarms = all.flatMap((each) =>
    each instanceof ServiceAlarm && each.alarm !== undefined ? [{ alarm: each.alarm, node: each.node }] : [],
  );
  // The alarms that are specific to an area, without those that every function, table, firewall or API has.
  const ofAreas = alarms.filter(({ node }) => !isCommon(node.scope));
  new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: `marquee-${stageOf(scope).name}`,
    defaultInterval: Duration.hours(12),
    widgets: [
      ...[...Map.groupBy(alarms, areaOf)].map(([area, ofArea]) => [
        new cloudwatch.AlarmStatusWidget({
          title: `${area}: alarms; each says what to do`,
          alarms: ofArea.map(({ alarm }) => alarm),
          width,
          height: 2 + Math.ceil(ofArea.length / 6),
        }),
      ]),
      ...all.filter((each) => each instanceof ServiceApi).map(ofApi),
      ofFunctions(all.filter((each) => each instanceof MarqueeFunction)),
      ofFirewall(all.filter((each) => each instanceof CfnWebACL)),
      [ofQueues(all.filter((each) => each instanceof Queue))],
      [ofCircuits(namespace, guardedServicesOf(scope))],
      [ofEvents(namespace), ofEndpoints(namespace)],
      ofAreas.map(({ alarm, node }) => {
        const title = `${node.scope?.node.id} ${node.id}`;
        return new cloudwatch.AlarmWidget({ title, alarm, width: 6, height: 5 });
      }),
    ],
  });
}

/** The name of the stack's construct that an alarm belongs to. A widget has at most 100 alarms. */
const areaOf = ({ node }: Pick<ServiceAlarm, 'node'>): string => {
  const [, , area] = node.scopes;
  return area?.node.id ?? '';
};

const graph = (title: string, left: cloudwatch.IMetric[], size: Partial<cloudwatch.GraphWidgetProps> = {}) =>
  new cloudwatch.GraphWidget({ title, left, width, ...size });

const isCommon = (scope: IConstruct | undefined): boolean =>
  scope instanceof PooledAlarms ||
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

function ofFirewall(acls: readonly CfnWebACL[]): cloudwatch.IWidget[] {
  return acls.map(({ visibilityConfig }) => {
    const { metricName } = visibilityConfig as CfnWebACL.VisibilityConfigProperty;
    const expression = `SEARCH('{AWS/WAFV2,Region,Rule,WebACL} WebACL="${metricName}" MetricName="BlockedRequests"', 'Sum')`;
    const refused = new cloudwatch.MathExpression({ expression, label: '' });
    return graph('Requests that the firewall refuses, by rule', [refused]);
  });
}

/** The outside services that the stage asks. */
const guardedServicesOf = (scope: Construct): readonly string[] =>
  stageOf(scope).ott.geolocation.fallback === 'none'
    ? ['entitlement', 'issuer', 'rpc']
    : ['entitlement', 'geolocation', 'issuer', 'rpc'];

/** Shows 1 while a function instance skips calls to the service because its circuit breaker is open. */
function ofCircuits(namespace: string, services: readonly string[]): cloudwatch.IWidget {
  const circuits = services.map((service) => {
    const dimensionsMap = { service };
    const metric = { namespace, metricName: circuitMetric, dimensionsMap, label: service };
    return new cloudwatch.Metric({ ...metric, statistic: 'Maximum' });
  });
  return graph('Outside services with an open circuit (1), in any environment', circuits);
}

/** Metrics without an alarm, which operators look up when a customer asks. */
function ofEvents(namespace: string): cloudwatch.IWidget {
  const events = eventsWithoutAlarm.map((metricName) => {
    const dimensionsMap = { service: 'nft' };
    return new cloudwatch.Metric({
      namespace,
      metricName,
      dimensionsMap,
      label: metricName,
      statistic: 'Sum',
    });
  });
  return graph('Events of transactions that need no alarm', events, { width: width / 2 });
}

/** Deliveries that have failed for good, by the endpoint's id. The recorder of notifications counts them. */
function ofEndpoints(namespace: string): cloudwatch.IWidget {
  const expression = `SEARCH('{${namespace},Endpoint} MetricName="DeliveryFailures"', 'Sum')`;
  const failures = new cloudwatch.MathExpression({ expression, label: '' });
  return graph('Notifications that an endpoint did not take', [failures], { width: width / 2 });
}
