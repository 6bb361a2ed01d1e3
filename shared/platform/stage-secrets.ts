/** The secrets that a stage can have, by the names that operators use. */
export const secretNames = [
  'chain',
  'ticket-chain',
  'entitlement',
  'geolocation',
  'signing-key',
  'origin-verify',
  'cursor',
  'canary',
] as const;

export type SecretName = (typeof secretNames)[number];

/** The ARNs of the secrets that a stage has. */
export type SecretArns = Readonly<Partial<Record<SecretName, string>>>;

/** The field that the deployment generates in a secret, until an operator stores a value. */
export const unsetField = 'not_set_yet';

export const isUnsetSecret = (text: string): boolean => text === '' || text.includes(`"${unsetField}"`);
