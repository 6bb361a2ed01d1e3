/**
 * Names that functions write to logs or metrics, and that the template's alarms and dashboard read. Each name is
 * defined only here, because an alarm on a name that no function writes would never go off. The template imports this
 * module, so this module imports nothing.
 */

/** The namespace of a stage's own metrics. It separates stages in the same account. */
export const metricsNamespaceOf = (stage: string): string => `Marquee/${stage}`;

export const publisherCodes = { topicUnavailable: 'TOPIC_UNAVAILABLE' } as const;
export type PublisherCode = (typeof publisherCodes)[keyof typeof publisherCodes];

/** Log lines with these codes have a field `count`. */
export const recorderCodes = {
  deliveryLinesUnreadable: 'DELIVERY_LINES_UNREADABLE',
  endpointBeginsToFail: 'ENDPOINT_BEGINS_TO_FAIL',
  endpointsFailing: 'ENDPOINTS_FAILING',
} as const;
export type RecorderCode = (typeof recorderCodes)[keyof typeof recorderCodes];

/** Log lines with these codes have a field `count`. */
export const redeliveryCodes = {
  failedMessageUnknown: 'FAILED_MESSAGE_UNKNOWN',
  redeliveryPaused: 'REDELIVERY_PAUSED',
} as const;
export type RedeliveryCode = (typeof redeliveryCodes)[keyof typeof redeliveryCodes];

/** The log line with this code has the number of failed attempts, as SNS counts them, in `count`. */
export const attemptsFailedCode = 'ATTEMPTS_FAILED';

/** The dashboard sums the `count` of the log lines with this code by `endpoint`. */
export const deliveriesFailedCode = 'DELIVERIES_FAILED';

export const outageCodes = {
  entitlement: 'ENTITLEMENT_UNAVAILABLE',
  geolocation: 'GEOLOCATION_UNAVAILABLE',
  tickets: 'TICKETS_UNAVAILABLE',
} as const;
export type OutageCode = (typeof outageCodes)[keyof typeof outageCodes];

/** The code of the log line of each change of an event by an editor. */
export const eventChangedCode = 'EVENT_CHANGED';

export const streamCodes = { signedPathRefused: 'SIGNED_PATH_REFUSED' } as const;
export type StreamCode = (typeof streamCodes)[keyof typeof streamCodes];

/** The name of a metric that is 1 while a function instance skips calls to an unresponsive service, and otherwise 0. */
export const circuitMetric = 'CircuitOpen';

/**
 * The names of the metrics that count the access tokens which functions judge, and those that no new login would mend.
 */
export const loginMetrics = { judged: 'LoginsJudged', refused: 'LoginsRefused' } as const;

/**
 * The kinds of transactions. Customers are notified when a transaction of a kind that is `told` is confirmed or has
 * failed: the template's stream filter passes only these kinds.
 */
export const transactionKinds = {
  deploy: 'told',
  mint: 'told',
  claim: 'told',
  'update-metadata': 'told',
  'update-contract-metadata': 'told',
  'set-royalty': 'told',
  revoke: 'told',
  'set-base': 'untold',
  noop: 'untold',
} as const;
export type TransactionKind = keyof typeof transactionKinds;
export type ToldKind = {
  [Kind in TransactionKind]: (typeof transactionKinds)[Kind] extends 'told' ? Kind : never;
}[TransactionKind];

export const toldKinds = (Object.keys(transactionKinds) as TransactionKind[]).filter(
  (kind): kind is ToldKind => transactionKinds[kind] === 'told',
);

/**
 * The statuses of a transaction in the log. One that is not `open` is final, unless the transaction vanishes from the
 * chain. Customers are notified of a status that is `told`: the template's stream filter passes only these.
 */
export const entryStatuses = {
  pending: 'open',
  confirmed: 'told',
  failed: 'told',
  superseded: 'untold',
} as const;
export type EntryStatus = keyof typeof entryStatuses;
export type ToldStatus = {
  [Status in EntryStatus]: (typeof entryStatuses)[Status] extends 'told' ? Status : never;
}[EntryStatus];

export const toldStatuses = (Object.keys(entryStatuses) as EntryStatus[]).filter(
  (status): status is ToldStatus => entryStatuses[status] === 'told',
);

/** What one run of the canary found. Each field is a metric with an alarm. */
export interface StageFindings {
  /** Calls through the public addresses that were not answered as expected, even on the second try. */
  readonly ChecksFailed: number;
  /**
   * Event source mappings that read nothing, schedules that run nothing, and log groups that nothing is forwarded of.
   */
  readonly PartsOff: number;
  /** KMS keys that are disabled or wait for their deletion. */
  readonly KeysUnusable: number;
  /** Calls with the canary's API key that were not accepted, even on the second try. `undefined` if it has no key. */
  readonly ApiKeyRefused: number | undefined;
}

const contracts = '/api/v1/nft/contracts';
const events = '/api/v3/ott/events';

/**
 * The calls of the base API whose requests and failures operators see: those that cause transactions, and those of
 * viewers. API Gateway only has metrics of these calls, because each call's metrics are billed.
 */
export const watchedCalls = {
  deploy: { method: 'POST', path: contracts },
  mint: { method: 'POST', path: `${contracts}/{contract_address}/mint` },
  batch: { method: 'POST', path: `${contracts}/{contract_address}/mint/batch` },
  list: { method: 'GET', path: events },
  event: { method: 'GET', path: `${events}/{event_id}` },
  stream: { method: 'GET', path: `${events}/{event_id}/stream` },
} as const;
