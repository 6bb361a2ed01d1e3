/* What each refusal means, and what the viewer can do next. `actions` are names that the player knows. */
const refusals = {
  LOGIN_REQUIRED: {
    message: 'Sign in to play this.',
    next: 'It is paid: we have to know who you are.',
    actions: ['sign-in'],
  },
  PURCHASE_REQUIRED: {
    message: 'This has to be bought first.',
    next: 'Buy it, and it plays at once.',
    actions: ['buy'],
  },
  ENTITLEMENT_DENIED: {
    message: 'You may not play this.',
    next: 'The entitlement service denies your account, whatever it bought. Ask the seller.',
  },
  ENTITLEMENT_UNAVAILABLE: {
    message: 'The service cannot check now whether you may play this.',
    next: 'That is not your fault. Try again in a moment.',
    actions: ['retry'],
  },
  SERVICE_UNAVAILABLE: {
    message: 'The service cannot answer just now.',
    next: 'Try again in a moment.',
    actions: ['retry'],
  },
  EVENT_NOT_FOUND: {
    message: 'There is nothing to play here.',
    next: 'It may not be shown in your country or by this application. Choose another event.',
  },
  STREAM_NOT_AVAILABLE: {
    message: 'This cannot be played now.',
    next: 'Choose another event meanwhile.',
    actions: ['retry'],
  },
  TOO_MANY_STREAMS: {
    message: 'You are watching on as many screens as you may.',
    next: 'Stop one of them, or play here in its place.',
    actions: ['retry'],
  },
  TOO_MANY_SESSION_CHANGES: {
    message: 'You changed screens too often.',
    next: 'A screen that stops also becomes free by itself.',
    actions: ['retry'],
  },
  SESSION_ENDED: {
    message: 'Another screen of yours took over.',
    next: 'This one has stopped. You can take it back.',
    actions: ['begin'],
  },
};
const ticketed = {
  next: 'Buy it, or hold a ticket in a wallet that you linked.',
  actions: ['buy', 'wallet'],
};

const inLocalTime = (instant) =>
  new Date(instant).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

export const refusalOf = ({ status, body, retryAfter, event }) => {
  const known = refusals[body?.message] ?? {
    message: 'It was refused.',
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
  message: 'The distribution refuses the next part: your signature has ended. (403)',
  next: 'Play it again: you get a new signature if you still may.',
  actions: ['retry'],
  screens: [],
};

export const broken = {
  message: 'The stream cannot be played.',
  next: 'Try again.',
  actions: ['retry'],
  screens: [],
};
