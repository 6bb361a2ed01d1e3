/**
 * Names that functions write and the template counts, each defined once: an alarm on a name that nobody writes never
 * goes off. The template imports this module, so it imports nothing.
 */

/** Codes of log lines that the publisher of notifications writes. */
export const publisherCodes = { topicUnavailable: 'TOPIC_UNAVAILABLE' } as const;
export type PublisherCode = (typeof publisherCodes)[keyof typeof publisherCodes];

/** Codes of log lines that the recorder of notifications writes. Each line has a `count`. */
export const recorderCodes = {
  deliveryLinesUnreadable: 'DELIVERY_LINES_UNREADABLE',
  endpointsFailing: 'ENDPOINTS_FAILING',
} as const;
export type RecorderCode = (typeof recorderCodes)[keyof typeof recorderCodes];

/** The code of the recorder's lines that the dashboard counts by `endpoint`; each has a `count`. */
export const deliveriesFailedCode = 'DELIVERIES_FAILED';

/** Codes of log lines about outside services that viewers' calls can go on without. */
export const outageCodes = {
  entitlement: 'ENTITLEMENT_UNAVAILABLE',
  geolocation: 'GEOLOCATION_UNAVAILABLE',
  tickets: 'TICKETS_UNAVAILABLE',
} as const;
export type OutageCode = (typeof outageCodes)[keyof typeof outageCodes];

/** Codes of log lines about signing streams. */
export const streamCodes = { signedPathRefused: 'SIGNED_PATH_REFUSED' } as const;
export type StreamCode = (typeof streamCodes)[keyof typeof streamCodes];

/** The metric that says whether an environment's circuit for an outside service is open: 1 or 0. */
export const circuitMetric = 'CircuitOpen';

/** Kinds of transactions whose decision customers are told: the template's filter lets these alone through. */
export const toldKinds = [
  'deploy',
  'mint',
  'update-metadata',
  'update-contract-metadata',
  'set-royalty',
  'revoke',
] as const;
