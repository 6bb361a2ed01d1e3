/** Calls each outside service with the credentials of its secret, and says what is wrong. */
export const triesServices = 'secrets list';

/**
 * The operator's command that shows more about an alarm, by the section of docs/runbook.md that the alarm names.
 * `undefined` if no command knows more than the alarm: then the section says where to look.
 */
export const alarmCommands = {
  'alarms-reach-nobody': 'smoke --alarms',
  'an-api-answers-5xx': 'smoke',
  'the-firewall-refuses-requests': undefined,
  'a-public-address-does-not-answer': 'smoke',
  'the-canary-is-silent': 'smoke',
  'a-key-cannot-be-used': undefined,
  'a-part-is-switched-off': undefined,
  'an-api-is-slow': undefined,
  'a-function-fails': undefined,
  'a-function-is-throttled': undefined,
  'a-table-is-throttled': undefined,
  'a-backup-fails': undefined,
  'the-waiter-fails': 'transactions list',
  'the-waiter-starts-late': 'transactions list',
  'a-schedule-fails': undefined,
  'nobody-watches-the-signers': 'transactions list',
  'no-rpc-endpoint-answers': triesServices,
  'one-rpc-endpoint-does-not-answer': triesServices,
  funds: 'signers',
  fees: 'signers',
  'the-oldest-transaction-waits': 'transactions list --stuck',
  'signatures-near-the-quota': undefined,
  'the-queue-is-long': 'applications usage',
  'a-transaction-is-refused': 'transactions list --stuck',
  'a-transaction-failed': 'transactions list',
  'a-nonce-gap-was-filled': 'transactions list',
  'finality-stalls': 'transactions list',
  'a-nonce-was-used-elsewhere': 'transactions list --stuck',
  'a-confirmed-transaction-vanished': 'transactions list',
  'the-publisher-is-behind': undefined,
  'the-topic-refuses': undefined,
  'failed-changes': 'failed-changes list',
  'erasures-are-late': undefined,
  'failed-erasures': 'failed-erasures list',
  'dead-letters': 'dead-letters list',
  'deliveries-fail': 'subscriptions list --failing',
  'notifications-are-not-recorded': undefined,
  'delivery-lines-cannot-be-read': undefined,
  'endpoints-fail-for-days': 'subscriptions list --failing',
  'failures-are-not-logged': undefined,
  'a-failed-notification-is-unknown': 'dead-letters list',
  'redelivery-is-paused': 'subscriptions list --failing',
  'replays-wait': undefined,
  'dead-letters-lost': undefined,
  'the-entitlement-service-is-down': triesServices,
  'the-geolocation-service-is-down': triesServices,
  'tickets-cannot-be-judged': triesServices,
  'a-stream-is-not-signed': 'events check',
  'logins-are-refused': undefined,
  'api-keys-are-refused': undefined,
} as const satisfies Readonly<Record<string, string | undefined>>;

/** A section of the runbook that an alarm names. */
export type AlarmSection = keyof typeof alarmCommands;
