/**
 * AWS's list prices in us-east-1, in US dollars for a million units, without free tiers. They are from AWS's pricing
 * pages of 2026. No other file contains prices.
 */
export const prices = {
  restCall: { price: 3.5, name: 'REST call' },
  lambdaCall: { price: 0.2, name: 'Lambda call' },
  /** arm64. */
  lambdaGbSecond: { price: 13.3334, name: 'Lambda GB-second' },
  write: { price: 0.625, name: 'DynamoDB write unit' },
  read: { price: 0.125, name: 'DynamoDB read unit' },
  signature: { price: 15, name: 'KMS signature (ECC)' },
  /** A request that publishes a batch counts once for each 64 KB. */
  published: { price: 0.5, name: 'SNS publish request' },
  delivered: { price: 0.6, name: 'SNS delivery over HTTPS' },
  queueCall: { price: 0.4, name: 'SQS request' },
  /** For each recorded trace. X-Ray records one call in twenty (`tracedShare`). */
  trace: { price: 5, name: 'X-Ray trace' },
  firewall: { price: 0.6, name: 'WAF request' },
  /** A GB of logs, which is a million KB, costs $0.50. */
  logKilobyte: { price: 0.5, name: 'KB of logs' },
  /** Sending a GB, which is a million KB, to the internet costs $0.09. */
  kilobyteOut: { price: 0.09, name: 'KB sent out' },
} as const;

export type Unit = keyof typeof prices;

/** Prices for one unit and month, whether it is used or not. */
export const monthlyPrices = {
  alarmMetric: { price: 0.1, name: 'metric of an alarm' },
  measure: { price: 0.3, name: 'own metric that is measured on a schedule' },
  key: { price: 1, name: 'KMS key' },
  secret: { price: 0.4, name: 'secret' },
  webAcl: { price: 5, name: 'web ACL' },
  firewallRule: { price: 1, name: 'rule of a web ACL' },
  dashboard: { price: 3, name: 'dashboard' },
} as const;

export type MonthlyUnit = keyof typeof monthlyPrices;

export const tracedShare = 0.05;
