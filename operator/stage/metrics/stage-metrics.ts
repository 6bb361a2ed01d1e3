import { metricsNamespaceOf, watchedCalls } from '../../../shared/platform/watched.ts';

/** A CloudWatch metric and the statistic to read. This module chooses the `id`. */
export interface MetricQuery {
  readonly id: string;
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
}

export interface StageMetricsInput {
  readonly stage: string;
  /** The numbers that identify the stage's signers. */
  readonly signers: readonly number[];
  readonly topicArn: string;
  /** The publisher of users and of transactions. */
  readonly publisherFunction: string;
  readonly eventPublisherFunction: string;
}

/** The metrics in which the OTT functions count how often an outside service did not answer. */
export const outsideServices = {
  entitlement: 'EntitlementUnavailable',
  geolocation: 'GeolocationUnavailable',
} as const;

/** Outside services that are called through a circuit breaker. A metric of each says whether its circuit is open. */
export const guardedServices = ['entitlement', 'geolocation', 'issuer', 'rpc'] as const;

/** The gas price is read for this many signers at most. It is nearly the same for all, since they share a chain. */
const signersTellingGas = 9;

/**
 * All metrics that the console and `status` read from CloudWatch: 31 for the stage, 6 for each of the first nine signers
 * and 5 for each further signer. A stage has at most 12 signers.
 */
export const stageMetrics = ({
  stage,
  signers,
  topicArn,
  publisherFunction,
  eventPublisherFunction,
}: StageMetricsInput): MetricQuery[] => {
  const own = metricsNamespaceOf(stage);
  const ofCalls = Object.entries(watchedCalls).flatMap(([call, { method, path }]) =>
    ['Count', '4XXError', '5XXError'].map((metric) => ({
      id: `${call}_${metric}`,
      namespace: 'AWS/ApiGateway',
      metric,
      dimensions: { ApiName: `marquee-${stage}-base`, Stage: stage, Resource: path, Method: method },
      statistic: 'Sum',
    })),
  );
  const ofTopic = {
    published: 'NumberOfMessagesPublished',
    failed: 'NumberOfNotificationsFailed',
  };
  const gauge = (signer: number, id: string, metric: string, statistic: string) => ({
    id: `${id}_${signer}`,
    namespace: own,
    metric,
    dimensions: { service: 'nft', signer: String(signer) },
    statistic,
  });
  const ofSigners = signers.flatMap((signer) => [
    gauge(signer, 'mined', 'Mined', 'Sum'),
    gauge(signer, 'confirmed', 'SecondsToConfirmation', 'SampleCount'),
    gauge(signer, 'p50', 'SecondsToConfirmation', 'p50'),
    gauge(signer, 'p95', 'SecondsToConfirmation', 'p95'),
    gauge(signer, 'balance', 'BalanceCoins', 'Minimum'),
  ]);
  const ofGas = signers
    .slice(0, signersTellingGas)
    .map((signer) => gauge(signer, 'gas', 'GasPriceGwei', 'Average'));
  return [
    ...ofCalls,
    ...Object.entries(ofTopic).map(([id, metric]) => ({
      id,
      namespace: 'AWS/SNS',
      metric,
      dimensions: { TopicName: topicArn.slice(topicArn.lastIndexOf(':') + 1) },
      statistic: 'Sum',
    })),
    // SNS's own metric also counts deliveries to the service's own queue.
    ...Object.entries({ delivered: 'SampleCount', delay_p50: 'p50', delay_p95: 'p95' }).map(
      ([id, statistic]) => ({
        id,
        namespace: own,
        metric: 'DeliveryMilliseconds',
        dimensions: {},
        statistic,
      }),
    ),
    ...Object.entries(outsideServices).map(([id, metric]) => ({
      id,
      namespace: own,
      metric,
      dimensions: {},
      statistic: 'Sum',
    })),
    ...guardedServices.map((service) => ({
      id: `circuit_${service}`,
      namespace: own,
      metric: 'CircuitOpen',
      dimensions: { service },
      statistic: 'Average',
    })),
    ...Object.entries({ lag: publisherFunction, event_lag: eventPublisherFunction }).map(
      ([id, FunctionName]) => ({
        id,
        namespace: 'AWS/Lambda',
        metric: 'IteratorAge',
        dimensions: { FunctionName },
        statistic: 'Maximum',
      }),
    ),
    ...ofSigners,
    ...ofGas,
  ];
};
