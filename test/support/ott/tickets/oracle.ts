/**
 * The dimensions of a stream call for an event with tickets. `expectedOutcome` is written from what is promised, not
 * from the code: each line is a sentence of the promise, and the first line that applies decides.
 */
export const dimensions = {
  wallets: ['none', 'one', 'two', 'moved away', 'moved here a moment ago'],
  held: [
    'yes',
    'no',
    'void',
    'sold',
    'minted but pending',
    'no code',
    'reverting',
    'out of gas',
    'invalid',
    'ERC-20',
    'yes to everything',
    'garbage',
  ],
  entitlement: ['success', 'no_purchase', 'denied', 'out'],
  rpc: ['well', 'disagreeing', 'gone', 'hanging', 'limited'],
  access: ['free', 'paid'],
  viewer: ['not logged in', 'logged in', 'VIP'],
  country: ['allowed', 'blocked'],
} as const;

export type TicketCase = {
  readonly [Name in keyof typeof dimensions]: (typeof dimensions)[Name][number];
};

export const expectedOutcome = (given: TicketCase): string => {
  if (given.country === 'blocked') return '404 EVENT_NOT_FOUND';
  if (given.access === 'free') return '200';
  if (given.viewer === 'not logged in') return '403 LOGIN_REQUIRED';
  if (given.entitlement === 'out') return '503 ENTITLEMENT_UNAVAILABLE';
  if (given.entitlement === 'denied') return '403 ENTITLEMENT_DENIED';
  if (given.viewer === 'VIP' || given.entitlement === 'success') return '200';
  const hasOpenWallet = given.wallets === 'one' || given.wallets === 'two';
  if (!hasOpenWallet) return '403 PURCHASE_REQUIRED';
  if (given.rpc === 'gone' || given.rpc === 'hanging' || given.rpc === 'limited') {
    return '503 ENTITLEMENT_UNAVAILABLE';
  }
  // The first of the two RPC endpoints answers, and reports every balance as 0.
  if (given.rpc === 'disagreeing') return '403 PURCHASE_REQUIRED';
  return given.held === 'yes' ? '200' : '403 PURCHASE_REQUIRED';
};
