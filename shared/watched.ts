/**
 * Names that functions write to logs or metrics, and that the template's alarms and dashboard read. Each name is
 * defined only here, because an alarm on a name that no function writes would never go off. The template imports this
 * module, so this module imports nothing.
 */

export const publisherCodes = { topicUnavailable: 'TOPIC_UNAVAILABLE' } as const;
export type PublisherCode = (typeof publisherCodes)[keyof typeof publisherCodes];

/** Log lines with these codes have a field `count`. */
export const recorderCodes = {
  deliveryLinesUnreadable: 'DELIVERY_LINES_UNREADABLE',
  endpointsFailing: 'ENDPOINTS_FAILING',
} as const;
export type RecorderCode = (typeof recorderCodes)[keyof typeof recorderCodes];

/** The dashboard sums the `count` of the log lines with this code by `endpoint`. */
export const deliveriesFailedCode = 'DELIVERIES_FAILED';

export const outageCodes = {
  entitlement: 'ENTITLEMENT_UNAVAILABLE',
  geolocation: 'GEOLOCATION_UNAVAILABLE',
  tickets: 'TICKETS_UNAVAILABLE',
} as const;
export type OutageCode = (typeof outageCodes)[keyof typeof outageCodes];

export const streamCodes = { signedPathRefused: 'SIGNED_PATH_REFUSED' } as const;
export type StreamCode = (typeof streamCodes)[keyof typeof streamCodes];

/** The name of a metric that is 1 while a function instance skips calls to an unresponsive service, and otherwise 0. */
export const circuitMetric = 'CircuitOpen';

/**
 * Customers are notified when a transaction of one of these kinds is confirmed or has failed. The template's stream
 * filter passes only these kinds.
 */
export const toldKinds = [
  'deploy',
  'mint',
  'update-metadata',
  'update-contract-metadata',
  'set-royalty',
  'revoke',
] as const;
