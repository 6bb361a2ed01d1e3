/**
 * The dimensions of a stream call of a viewer for whom a ticket may be reserved. `expectedOutcome` is written from what
 * is promised, not from the code: each line is a sentence of the promise, and the first line that applies decides.
 */
export const dimensions = {
  viewer: ['not logged in', 'logged in', 'VIP'],
  access: ['free', 'paid'],
  country: ['allowed', 'blocked'],
  status: ['LIVE', 'UPCOMING'],
  entitlement: ['success', 'no_purchase', 'denied', 'out'],
  ticket: [
    'none',
    'reserved',
    'reserved and void',
    'reserved for somebody else',
    'reserved in another collection',
    'reserved before the user registered again',
    'about to be revoked',
    'revoked',
    'claimed',
    'claimed and void',
    'claimed, and final',
  ],
  wallet: ['none', 'linked'],
  chain: ['has no such token', 'says the wallet', 'says somebody else', 'out'],
} as const;

export type ReservedCase = {
  readonly [Name in keyof typeof dimensions]: (typeof dimensions)[Name][number];
};

/** Whether the tables alone cannot tell whether the viewer holds a ticket. */
export const asksChain = (given: ReservedCase): boolean =>
  given.country === 'allowed' &&
  given.access === 'paid' &&
  given.viewer !== 'not logged in' &&
  given.entitlement === 'no_purchase' &&
  given.viewer !== 'VIP' &&
  given.ticket !== 'reserved' &&
  (given.wallet === 'linked' || given.ticket === 'claimed');

const holdsTicket = (given: ReservedCase): boolean | 'unknown' => {
  if (given.ticket === 'reserved') return true;
  // The mint is not mined yet, or nobody can say whether it is.
  if (given.ticket === 'claimed' && given.chain === 'has no such token') return true;
  if (given.ticket === 'claimed' && given.chain === 'out') return true;
  if (given.wallet === 'none') return false;
  if (given.chain === 'out') return 'unknown';
  return given.chain === 'says the wallet' && given.ticket !== 'claimed and void';
};

export const expectedOutcome = (given: ReservedCase): string => {
  if (given.country === 'blocked') return '404 EVENT_NOT_FOUND';
  if (given.access === 'paid') {
    if (given.viewer === 'not logged in') return '403 LOGIN_REQUIRED';
    if (given.entitlement === 'out') return '503 ENTITLEMENT_UNAVAILABLE';
    if (given.entitlement === 'denied') return '403 ENTITLEMENT_DENIED';
  }
  if (given.viewer === 'VIP' && given.entitlement !== 'out' && given.entitlement !== 'denied') return '200';
  if (given.access === 'paid' && given.entitlement === 'no_purchase') {
    const isHeld = holdsTicket(given);
    if (isHeld === 'unknown') return '503 ENTITLEMENT_UNAVAILABLE';
    if (!isHeld) return '403 PURCHASE_REQUIRED';
  }
  return given.status === 'LIVE' ? '200' : '404 STREAM_NOT_AVAILABLE';
};
