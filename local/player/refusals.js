/*
 * What each refusal means, and what the viewer can do next. `meanwhile` is its meaning for a stream that is playing, if
 * it is another one. `actions` are names of buttons in player.js.
 */
const refusals = {
  LOGIN_REQUIRED: {
    message: 'Sign in to play this.',
    meanwhile: 'You are no longer signed in.',
    next: 'This stream is paid, so the service must know who you are.',
    actions: ['sign-in'],
  },
  UNAUTHORIZED: {
    message: 'Your login has expired.',
    next: 'Sign in again.',
    actions: ['sign-in'],
  },
  PURCHASE_REQUIRED: {
    message: 'This has to be bought first.',
    meanwhile: 'This is no longer bought.',
    next: 'It plays as soon as you buy it.',
    actions: ['buy'],
  },
  ENTITLEMENT_DENIED: {
    message: 'You may not play this.',
    meanwhile: 'You may no longer play this.',
    next: 'The entitlement service denies your account access, even to what you bought. Ask the seller.',
  },
  ENTITLEMENT_UNAVAILABLE: {
    message: 'The service cannot check at the moment whether you may play this.',
    next: 'You did nothing wrong. Try again in a moment.',
    actions: ['retry'],
  },
  SERVICE_UNAVAILABLE: {
    message: 'The service is busy or unavailable.',
    next: 'Try again in a moment.',
    actions: ['retry'],
  },
  EVENT_NOT_FOUND: {
    message: 'There is nothing to play here.',
    meanwhile: 'This event is no longer shown here.',
    next: 'The event may be hidden in your country or by this application. Choose another event.',
  },
  STREAM_NOT_AVAILABLE: {
    message: 'This cannot be played now.',
    meanwhile: 'The event is over.',
    next: 'Choose another event, or try again later.',
    actions: ['retry'],
  },
  TOO_MANY_STREAMS: {
    message: 'You are already watching on as many screens as you are allowed.',
    next: 'Stop one of them, or play here instead.',
    actions: ['retry'],
  },
  TOO_MANY_SESSION_CHANGES: {
    message: 'You changed screens too often.',
    next: 'A screen that has stopped also becomes free by itself after a while.',
    actions: ['retry'],
  },
  SESSION_ENDED: {
    message: 'Another of your screens plays instead.',
    next: 'This screen has stopped. You can play here again.',
    actions: ['begin'],
  },
  TOO_MANY_REQUESTS: {
    message: 'The service received too many requests.',
    next: 'Try again in a moment.',
    actions: ['retry'],
  },
};
const failed = {
  message: 'The service does not answer as it should.',
  next: 'You did nothing wrong. Try again in a moment.',
  actions: ['retry'],
};
const unknown = {
  message: 'The service does not accept the request.',
  next: 'Reload the page, and try again.',
  actions: ['retry'],
};
const cancelled = {
  message: 'This event was cancelled.',
  next: 'Choose another event.',
};
const notYet = {
  message: 'This has not begun yet.',
  next: 'It plays here as soon as it begins.',
  actions: ['retry'],
};
const blockedWhenLive = {
  message: 'This event cannot be watched live in your country.',
  next: 'A purchase or a ticket would not change that. Choose another event.',
};
const ticketed = {
  message: 'This needs a ticket, or access that you buy.',
  meanwhile: 'You no longer hold a ticket for this.',
  next: 'You can give a ticket away, or sell it. Bought access stays with your account.',
  actions: ['ticket', 'wallet', 'buy-access'],
};

const wordsOf = ({ status, body, event }) => {
  if (body?.message === 'EVENT_NOT_FOUND' && event?.blocked_when_live) return blockedWhenLive;
  if (body?.message === 'STREAM_NOT_AVAILABLE') {
    if (event?.status === 'CANCELLED') return cancelled;
    if (event?.status === 'UPCOMING' || body.available_from !== undefined) return notYet;
  }
  const known = refusals[body?.message] ?? (status >= 500 ? failed : unknown);
  return body?.message === 'PURCHASE_REQUIRED' && event?.tickets !== undefined
    ? { ...known, ...ticketed }
    : known;
};

const isToday = (instant) => new Date(instant).toDateString() === new Date().toDateString();
/** The time of day, with the day if it is not today. */
const inLocalTime = (instant) =>
  new Date(instant).toLocaleString([], {
    ...(!isToday(instant) && { dateStyle: 'medium' }),
    timeStyle: 'short',
  });

const inWords = (seconds) =>
  seconds < 120 ? `in ${seconds} s` : `at ${inLocalTime(Date.now() + seconds * 1_000)}`;

export const refusalOf = (answer) => {
  const { status, body, retryAfter } = answer;
  const { message, next, actions = [] } = wordsOf(answer);
  const when =
    body?.available_from === undefined ? '' : `You can play it from ${inLocalTime(body.available_from)}. `;
  const isTold = (status === 403 || status === 429) && retryAfter !== null;
  const wait = isTold ? `Try again ${inWords(Number(retryAfter))}. ` : '';
  return {
    message: `${message} (${[status, body?.message].filter(Boolean).join(' ')})`,
    next: `${when}${wait}${next}`,
    actions,
    screens: body?.sessions ?? [],
  };
};

const losses = { sold: 'Your ticket was sold.', given: 'You gave your ticket away.' };
/** The refusal to renew a stream, which ends at `endsAt`, or has ended then. */
export const endingOf = ({ lostBy, endsAt, hasEnded, ...answer }) => {
  const { message, meanwhile = message, next, actions = [] } = wordsOf(answer);
  const why = losses[lostBy] ?? meanwhile;
  const how = hasEnded ? 'The stream ended' : 'You can watch until it ends';
  return {
    message: `${why} ${how} at ${inLocalTime(endsAt)}.`,
    next,
    actions,
    screens: answer.body?.sessions ?? [],
  };
};

export const expired = {
  message: 'The stream has stopped, because the service could not renew it in time.',
  next: 'Try again in a moment.',
  actions: ['retry'],
  screens: [],
};

export const broken = {
  message: 'The stream cannot be played.',
  next: 'Try again.',
  actions: ['retry'],
  screens: [],
};

/** The failure of a call that got no response, or of this page. */
export const failureOf = (error) => ({
  message: `Something on this machine did not answer: ${error?.message ?? error}.`,
  next: 'Check that npm start is still running. Then reload the page.',
  actions: [],
  screens: [],
});

const renewedBeforeMilliseconds = 14 * 24 * 60 * 60 * 1_000;

/** Why a wallet has to be linked again soon, or now. Only links of contracts end. `undefined` if there is time. */
export const linkDue = ({ expires_at: expiresAt }) => {
  const left = Date.parse(expiresAt ?? '') - Date.now();
  if (!(left < renewedBeforeMilliseconds)) return undefined;
  const when = inLocalTime(expiresAt);
  return left > 0
    ? `Link this wallet again before ${when}. Until then its tickets give access.`
    : `The link of this wallet ended at ${when}. Its tickets give no access until you link it again.`;
};

const failedCalls = {
  UNAUTHORIZED: 'Your login has expired. Sign in again.',
  CONFLICT: 'Something changed at the same time. Try again.',
};
/** Why a wallet was not linked or unlinked, and what to do. */
const walletRefusals = {
  ...failedCalls,
  SIGNATURE_INVALID: 'The signature is not by this wallet, or came too late. Link the wallet again.',
  WALLET_LIMIT_REACHED: 'You already have five wallets. Unlink one of them first.',
  TOO_MANY_CHALLENGES: 'You have tried to link wallets ten times within an hour. Try again in the next hour.',
  CONFLICT: 'The wallets changed at the same time. Try again.',
};
/** Why a ticket was not reserved, given away or moved, and what to do. */
const ticketRefusals = {
  ...failedCalls,
  CONTRACT_NOT_FOUND: 'The collection of the tickets is not there yet. Try again in a moment.',
  USER_NOT_FOUND: 'You are not registered. Sign in again.',
  SUPPLY_EXHAUSTED: 'The tickets are sold out. Ask a ticket holder for one.',
  DAILY_LIMIT_REACHED: 'No more tickets can be had today. Try again tomorrow.',
  CHAIN_UNAVAILABLE: 'The chain does not answer at the moment. Try again in a moment.',
  NOT_TRANSFERABLE: 'The tickets of this event cannot be given away.',
  NFT_NOT_FOUND: 'This ticket is no longer yours.',
  NFT_NOT_RESERVED: 'The ticket is on the chain already, or on its way there. Sell it from your wallet.',
  NFT_ALREADY_CLAIMED: 'The ticket is on its way to another wallet already.',
  CLAIM_IN_PROGRESS: 'Another of your tickets is on its way. Try again when it has arrived.',
  WALLET_NOT_LINKED: 'The wallet is not linked any more. Link it again.',
  WALLET_TOO_NEW: 'You have linked this wallet only a short while ago.',
};
/** Why the viewer's data was not shown, downloaded or erased, and what to do. */
const accountRefusals = {
  ...failedCalls,
  CLIENT_NOT_ALLOWED: 'The page of this application may not ask for that. Choose another application.',
  USER_NOT_FOUND: 'You are not registered. Sign in again.',
  INSUFFICIENT_USER_AUTHENTICATION: 'Your login does not say that it was a moment ago.',
  TOO_MANY_ERASURES: 'You were erased too often today.',
};
const reasonOf = (known, { status, body, retryAfter }) => {
  const fields = (body?.errors ?? []).map(({ path, message }) => `${path}: ${message}.`);
  const wait = Number(retryAfter) > 0 ? ` Try again ${inWords(Number(retryAfter))}.` : '';
  const words =
    fields.length > 0
      ? fields.join(' ')
      : `${known[body?.message ?? body?.error_fields] ?? 'Try again in a moment.'}${wait}`;
  return `${words} (${[status, body?.message ?? body?.error_fields].filter(Boolean).join(' ')})`;
};
export const walletReason = (answer) => reasonOf(walletRefusals, answer);
export const ticketReason = (answer) => reasonOf(ticketRefusals, answer);
export const accountReason = (answer) => reasonOf(accountRefusals, answer);
