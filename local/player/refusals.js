/* What each refusal means, and what the viewer can do next. `actions` are names of buttons in player.js. */
const refusals = {
  LOGIN_REQUIRED: {
    message: 'Sign in to play this.',
    next: 'This stream is paid, so the service must know who you are.',
    actions: ['sign-in'],
  },
  PURCHASE_REQUIRED: {
    message: 'This has to be bought first.',
    next: 'It plays as soon as you buy it.',
    actions: ['buy'],
  },
  ENTITLEMENT_DENIED: {
    message: 'You may not play this.',
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
    next: 'The event may be hidden in your country or by this application. Choose another event.',
  },
  STREAM_NOT_AVAILABLE: {
    message: 'This cannot be played now.',
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
    message: 'Another of your screens took over.',
    next: 'This screen has stopped. You can play here again.',
    actions: ['begin'],
  },
};
const ticketed = {
  next: 'Buy it, or link a wallet that holds a ticket.',
  actions: ['buy', 'wallet'],
};

const inLocalTime = (instant) =>
  new Date(instant).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

export const refusalOf = ({ status, body, retryAfter, event }) => {
  const known = refusals[body?.message] ?? {
    message: 'The request was refused.',
    next: 'Try again in a moment.',
    actions: ['retry'],
  };
  const words =
    body?.message === 'PURCHASE_REQUIRED' && event?.tickets !== undefined ? { ...known, ...ticketed } : known;
  const when = body?.available_from === undefined ? '' : `It starts at ${inLocalTime(body.available_from)}. `;
  const wait = status === 403 && retryAfter !== null ? `Try again in ${retryAfter} s. ` : '';
  return {
    message: `${words.message} (${[status, body?.message].filter(Boolean).join(' ')})`,
    next: `${when}${wait}${words.next}`,
    actions: words.actions ?? [],
    screens: body?.sessions ?? [],
  };
};

export const ended = {
  message: 'The distribution refuses the next part of the stream: your signature has expired. (403)',
  next: 'Try again: you get a new signature if you still have access.',
  actions: ['retry'],
  screens: [],
};

export const broken = {
  message: 'The stream cannot be played.',
  next: 'Try again.',
  actions: ['retry'],
  screens: [],
};
