/** A CloudWatch metric with its statistic, and an id that this module gives it. */
export interface MetricQuery {
  readonly id: string;
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
}

export interface StageMetricsInput {
  readonly stage: string;
  /** Numbers of its signers. */
  readonly signers: readonly number[];
  readonly topicArn: string;
  readonly publisherFunction: string;
}

const contracts = '/api/v1/nft/contracts';
const events = '/api/v3/ott/events';

/** The calls that cause transactions, and the viewers' calls. */
export const watchedCalls = {
  deploy: { method: 'POST', path: contracts },
  mint: { method: 'POST', path: `${contracts}/{contract_address}/mint` },
  batch: { method: 'POST', path: `${contracts}/{contract_address}/mint/batch` },
  list: { method: 'GET', path: events },
  event: { method: 'GET', path: `${events}/{event_id}` },
  stream: { method: 'GET', path: `${events}/{event_id}/stream` },
} as const;

/** The outages of outside services that the OTT functions counted. */
export const outsideServices = {
  entitlement: 'EntitlementUnavailable',
  geolocation: 'GeolocationUnavailable',
} as const;

/** Outside services whose circuit is open. */
export const guardedServices = ['entitlement', 'geolocation', 'issuer', 'rpc'] as const;

/** The price of gas belongs to the chain and is nearly the same for all signers, so it is read of this many at most. */
const signersTellingGas = 10;

/**
 * All metrics that the console and `status` read from CloudWatch: 30, and 6 for each signer, or 5 when there are more
 * than ten signers. A stage has at most 12 signers.
 */
export const stageMetrics = ({
  stage,
  signers,
  topicArn,
  publisherFunction,
}: StageMetricsInput): MetricQuery[] => {
  const own = `Marquee/${stage}`;
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
    delivered: 'NumberOfNotificationsDelivered',
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
    ...['p50', 'p95'].map((statistic) => ({
      id: `delay_${statistic}`,
      namespace: own,
      metric: 'DeliveryMilliseconds',
      dimensions: {},
      statistic,
    })),
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
    {
      id: 'lag',
      namespace: 'AWS/Lambda',
      metric: 'IteratorAge',
      dimensions: { FunctionName: publisherFunction },
      statistic: 'Maximum',
    },
    ...ofSigners,
    ...ofGas,
  ];
};
