import { accountPanel } from './account.js';
import { logInAgain, loginReturned, nowSeconds, tokenOf } from './login.js';
import { inOrder } from './order.js';
import { button, call, element, fill, make, newId, reveal } from './page.js';
import { broken, endingOf, expired, failureOf, refusalOf } from './refusals.js';
import { ticketPanel } from './tickets.js';
import { findWallets, walletPanel } from './wallets.js';

const { base_url: baseUrl, entitlement_url: entitlementUrl } = window.settings;
const { geolocation_url: geolocationUrl, api_url_profile: profileUrl, applications } = window.settings;
const video = element('video');
const place = `${geolocationUrl}/addresses/127.0.0.1`;
const countries = {
  AT: 'Austria',
  CH: 'Switzerland',
  DE: 'Germany',
  FR: 'France',
  GB: 'United Kingdom',
  IS: 'Iceland',
  NO: 'Norway',
  US: 'United States',
};

/** A value that is stored for the tab, so that the viewer and the screen stay the same after a reload. */
const kept = (name, initial) => {
  const key = `marquee-${name}`;
  return {
    get: () => sessionStorage.getItem(key) ?? initial(),
    set: (value) =>
      value === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value),
  };
};
const keptUser = kept('user', () => undefined);
/** When the viewer logged in, in seconds. */
const keptLoginTime = kept('logged-in-at', nowSeconds);
const keptClient = kept(
  'client',
  () => (applications.find(({ id }) => id === 'arena') ?? applications[0])?.client_id,
);
const keptScreen = kept('screen', () => {
  const id = newId();
  sessionStorage.setItem('marquee-screen', id);
  return id;
});
/** What this screen presents with its next stream call. */
const keptContinuation = kept('continuation', () => undefined);

/** Everybody who has signed in with this browser. */
const keptUsers = () => JSON.parse(localStorage.getItem('marquee-users') ?? '[]');
const keepUser = (sub) =>
  localStorage.setItem('marquee-users', JSON.stringify([...new Set([...keptUsers(), sub])].slice(-20)));

let token;
let user;
let events = [];
let current;
let playing;
/** Set while the viewer waits for the event of the screen: its timer, if it is known when the stream opens. */
let awaited;
let attempts = 0;

const authorization = () =>
  token === undefined ? { 'x-client-id': keptClient.get() } : { authorization: `Bearer ${token}` };
/** Calls as the viewer. A token lasts an hour: if the service refuses it, the page gets another one. */
const asViewer = async (url, options = {}) => {
  const refused = token;
  const send = () => call(url, { ...options, headers: authorization() });
  const answer = await send();
  if (answer.status !== 401 || refused === undefined) return answer;
  const signed = await tokenOf(user, keptClient.get(), keptLoginTime.get());
  // Meanwhile the viewer signed out, or another one signed in.
  if (token === refused) token = signed;
  return send();
};
const ask = (path) => asViewer(`${baseUrl}/api/v3/ott/events/${path}`, { credentials: 'include' });

const wallets = walletPanel({
  session: () => ({ user }),
  asViewer,
  onChange: () => tickets.show(),
});
const tickets = ticketPanel({
  session: () => ({ user, event: current }),
  tokenFor: (clientId) => tokenOf(user, clientId, keptLoginTime.get()),
  knownUsers: () => keptUsers().filter((each) => each !== user),
  wallets,
  isPlaying: () => playing !== undefined,
  onTicket: async (event) => {
    if (event.event_id === current?.event_id && playing === undefined)
      await play(event, { ticketIsNew: true });
  },
});
const account = accountPanel({
  session: () => ({ user, token }),
  asViewer,
  logInAgain: () => logInAgain({ user, clientId: keptClient.get() }),
  onErased: () => forget(),
});
const showPanels = () => Promise.all([wallets.show(), tickets.show()]);

const takeOver = (screen) =>
  button('Play here instead', () => play(current, { takeOver: screen.session }), {
    className: 'quiet',
    dataset: { takeOver: screen.session },
  });
const screenRow = (screen) => {
  const title = events.find(({ event_id: id }) => id === screen.event_id)?.title ?? screen.event_id;
  const since = new Date(screen.began_at).toLocaleTimeString([], { timeStyle: 'short' });
  return make('li', {}, `${title}, since ${since}`, takeOver(screen));
};

const actions = {
  'sign-in': () => button('Sign in', () => element('user').focus()),
  buy: () => button('Buy it', buy),
  'buy-access': () => button('Buy access instead', buy, { className: 'quiet' }),
  ticket: () => button('Get a ticket', () => tickets.get(current)),
  wallet: () => button('Use a ticket in my wallet', () => reveal('wallets'), { className: 'quiet' }),
  retry: () => button('Try again', () => play(current), { className: 'quiet' }),
  begin: () =>
    button('Play here again', () => {
      keptScreen.set(undefined);
      keptContinuation.set(undefined);
      return play(current);
    }),
};

const show = (refusal) => {
  element('refusal').hidden = refusal === undefined;
  element('spinner').hidden = true;
  if (refusal === undefined) return;
  element('message').textContent = refusal.message;
  element('next').textContent = refusal.next;
  fill(element('screens'), ...refusal.screens.map(screenRow));
  fill(element('actions'), ...refusal.actions.map((name) => actions[name]()));
  reveal('refusal');
};
addEventListener('unhandledrejection', ({ reason }) => show(failureOf(reason)));

const badge = (text, kind = '') => make('span', { className: `badge ${kind}` }, text);
const card = (event) => {
  const { event_id: id, title, description, status, access, image, tickets, starts_at: startsAt } = event;
  const isBlocked = event.blocked_when_live === true;
  const poster = make('div', { className: 'poster' });
  if (image !== null) {
    const picture = make('img', { src: image, alt: '', loading: 'lazy' });
    picture.addEventListener('error', () => picture.remove());
    poster.append(picture);
  }
  const badges = [
    badge(status, status === 'LIVE' ? 'live' : ''),
    badge(access),
    ...(tickets === undefined ? [] : [badge('tickets', 'tickets')]),
  ];
  poster.append(make('div', { className: 'badges' }, ...badges));
  const when = new Date(startsAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  const text = make(
    'div',
    { className: 'text' },
    make('h3', {}, title),
    make('span', { className: 'soft' }, when),
    ...(description === null ? [] : [make('p', { className: 'soft' }, description)]),
    ...(isBlocked ? [make('p', { className: 'warning' }, 'Cannot be watched live in your country.')] : []),
    button('Play', () => play(event), { dataset: { eventId: id }, label: `Play ${title}` }),
  );
  return make('li', { className: `card${id === current?.event_id ? ' current' : ''}` }, poster, text);
};
/** The event as it was listed last. */
const latest = (event) => events.find(({ event_id: id }) => id === event.event_id) ?? event;
const isPlayable = ({ status }) => status === 'LIVE' || status === 'VOD';
const showCards = () => {
  element('no-events').hidden = events.length > 0;
  fill(element('events'), ...events.map(card));
};

const refreshMilliseconds = 5_000;
/** How far ahead the page looks for the next events if the catalogue has more than one page. */
const nearMilliseconds = 14 * 86_400_000;
/**
 * The events in the order in which a fan looks for them. The service lists the latest start first. So if there is more
 * than one page, what is LIVE and what is near are read as well.
 */
const readEvents = async () => {
  const answer = await ask('?limit=100');
  if (!answer.ok) return answer;
  const now = Date.now();
  const [from, to] = [now, now + nearMilliseconds].map((at) => new Date(at).toISOString());
  const near = new URLSearchParams({ from, to, limit: 100 });
  const others =
    answer.next !== undefined ? await Promise.all([ask('?status=LIVE&limit=100'), ask(`?${near}`)]) : [];
  const listed = [answer, ...others].flatMap(({ ok, body }) => (ok ? body : []));
  const byId = new Map(listed.map((event) => [event.event_id, event]));
  return { ...answer, body: inOrder([...byId.values()], now) };
};
const list = async () => {
  const answer = await readEvents();
  events = answer.ok ? answer.body : [];
  showCards();
  if (!answer.ok) show(refusalOf(answer));
};

const halt = () => {
  clearTimeout(awaited?.opens);
  awaited = undefined;
  clearTimeout(playing?.renewal);
  playing?.hls.destroy();
  playing = undefined;
  video.removeAttribute('src');
  video.load();
  element('life').hidden = true;
};

/**
 * Ends the session, so that it no longer counts towards the viewer's limit. `keepalive` lets the call finish even if
 * the page is closed.
 */
const free = async () => {
  if (playing === undefined || token === undefined) return;
  await asViewer(`${baseUrl}/api/v3/ott/events/${encodeURIComponent(playing.event.event_id)}/stream/end`, {
    method: 'POST',
    keepalive: true,
    body: { session: keptScreen.get() },
  }).catch(() => undefined);
};

let opens = 0;
/** Requests the stream. The response sets the signed cookies; `renewLater` requests them again before they expire. */
const open = async (event, { takeOver: other } = {}) => {
  opens += 1;
  const turn = opens;
  const continuation = keptContinuation.get();
  const query = new URLSearchParams({
    session: keptScreen.get(),
    ...(continuation && { continuation }),
    ...(other && { take_over: other }),
  });
  const answer = await ask(`${encodeURIComponent(event.event_id)}/stream?${query}`);
  // A call that began later may already have presented a newer one.
  const next = answer.ok && turn === opens ? answer.body.continuation : undefined;
  if (next !== undefined) keptContinuation.set(next);
  return answer;
};

const leastPauseMilliseconds = 3_000;
const renewLater = ({ saidAt, body: { expires_at: expiresAt, renew_at: renewAt } }) => {
  if (expiresAt === null || playing === undefined) return;
  const begins = Date.now();
  // The times are those of the service's clock. This device's clock may be wrong.
  const ahead = Number.isNaN(saidAt) ? 0 : begins - saidAt;
  const ends = Date.parse(expiresAt) + ahead;
  playing.life = { begins, ends };
  const at = renewAt === undefined ? begins + (ends - begins) * 0.6 : Date.parse(renewAt) + ahead;
  renewAfter(Math.max(at - begins, leastPauseMilliseconds));
};
const renewAfter = (milliseconds) => {
  const renewed = playing;
  renewed.renewal = setTimeout(
    async () => {
      const answer = await open(renewed.event).catch(() => ({ status: 503 }));
      if (renewed !== playing) return;
      if (answer.ok) {
        if (!renewed.isBroken) show(undefined);
        renewLater(answer);
      } else if (answer.status >= 500 || answer.status === 429) {
        renewAfter(Math.max(2, Number(answer.retryAfter) || 0) * 1_000);
      } else {
        await endLater({ ...answer, event: latest(renewed.event) });
      }
    },
    Math.max(milliseconds, 0),
  );
};

/**
 * Says why the stream was not renewed. If another screen has taken over, the stream stops now. After any other refusal,
 * it plays until its signature expires.
 */
const endLater = async (answer) => {
  const { body, event } = answer;
  if (body?.message === 'SESSION_ENDED') {
    leave();
    show(refusalOf(answer));
    return;
  }
  const ending = playing;
  const lostBy =
    body?.message === 'PURCHASE_REQUIRED' && event.tickets !== undefined
      ? await tickets.lostBy(event).catch(() => undefined)
      : undefined;
  // Meanwhile the viewer stopped, or chose another event.
  if (ending !== playing) return;
  ending.words = (hasEnded) => endingOf({ ...answer, lostBy, endsAt: ending.life.ends, hasEnded });
  show(ending.words(false));
};
const end = async () => {
  const { event, life, words } = playing;
  halt();
  const attempt = attempts;
  if (words !== undefined) return show(words(true));
  // The signature has ended before the stream was requested again. The service says why.
  const answer = await open(event).catch(() => ({ status: 503 }));
  if (attempt !== attempts) return;
  const isRefused = !answer.ok && answer.status < 500;
  show(
    isRefused
      ? endingOf({ ...answer, event: latest(event), endsAt: life?.ends ?? Date.now(), hasEnded: true })
      : expired,
  );
};

const showLife = () => {
  const life = playing?.life;
  element('stop').hidden = playing === undefined;
  video.controls = playing !== undefined;
  element('life').hidden = life === undefined;
  if (life === undefined) return;
  const left = Math.max(life.ends - Date.now(), 0);
  element('life-bar').value = left / (life.ends - life.begins);
  const seconds = Math.ceil(left / 1_000);
  element('life-text').textContent =
    playing.words === undefined
      ? `the signature is valid for another ${seconds} s`
      : `the stream ends in ${seconds} s`;
  // A stream that is paused requests no further part, so the distribution cannot refuse one.
  if (left === 0 && video.paused) end();
};
setInterval(showLife, 250);

const leave = () => {
  halt();
  attempts += 1;
  element('playing').hidden = true;
  element('idle').hidden = false;
  element('picture').classList.add('waits');
  show(undefined);
};

/**
 * For how long to request the stream again after a refusal to a viewer who has just received a ticket. The service
 * caches the chain's answers.
 */
const newTicketMilliseconds = 30_000;
const unseenPauseMilliseconds = 2_000;

const longestTimerMilliseconds = 86_400_000;
/** Plays the event of the screen as soon as its stream opens: by its window, or by its status, which `refresh` sees. */
const awaitStream = ({ body }) => {
  const left = Date.parse(body.available_from) - Date.now();
  awaited = {
    opens: left < longestTimerMilliseconds ? setTimeout(() => play(current), Math.max(left, 0)) : undefined,
  };
};

const play = async (event, { takeOver: other, ticketIsNew = false } = {}) => {
  halt();
  attempts += 1;
  const attempt = attempts;
  const isOther = event.event_id !== current?.event_id;
  current = event;
  location.hash = event.event_id;
  showCards();
  show(undefined);
  element('playing').hidden = false;
  element('playing-title').textContent = event.title;
  video.poster = event.image ?? '';
  element('idle').hidden = true;
  element('picture').classList.remove('waits');
  element('spinner').hidden = false;
  // A viewer who has just received a ticket reads in the panel of tickets that it is there.
  if (!ticketIsNew) reveal('screen');
  if (isOther) void showPanels();
  const openOnce = () => open(event, { takeOver: other }).catch(() => ({ status: 503 }));
  const deadline = Date.now() + (ticketIsNew ? newTicketMilliseconds : 0);
  let answer = await openOnce();
  while (answer.body?.message === 'PURCHASE_REQUIRED' && attempt === attempts && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, unseenPauseMilliseconds));
    answer = await openOnce();
  }
  // The viewer chose another event while this call was running.
  if (attempt !== attempts) return;
  reveal('screen');
  if (!answer.ok) {
    show(refusalOf({ ...answer, event: latest(event) }));
    if (answer.body?.message === 'STREAM_NOT_AVAILABLE') awaitStream(answer);
    return;
  }
  const hls = new Hls({
    maxBufferLength: 5,
    maxMaxBufferLength: 8,
    xhrSetup: (request) => {
      request.withCredentials = true;
    },
  });
  playing = { hls, event };
  hls.on(Hls.Events.ERROR, (_, { fatal, response }) => {
    if (playing?.hls !== hls) return;
    if (response?.code === 403) end();
    else if (fatal) {
      playing.isBroken = true;
      show(broken);
    }
  });
  hls.loadSource(answer.body.url);
  hls.attachMedia(video);
  hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
  renewLater(answer);
};

video.addEventListener('playing', () => {
  element('spinner').hidden = true;
});
video.addEventListener('waiting', () => {
  element('spinner').hidden = playing === undefined || !element('refusal').hidden;
});

const rights = async (change) => {
  const url = `${entitlementUrl}/users/${encodeURIComponent(user)}`;
  const { body } = await call(url);
  if (change !== undefined) await call(url, { method: 'PUT', body: { ...body, ...change(body) } });
  return body;
};
const buy = async () => {
  await rights(({ purchases }) => ({ purchases: [...new Set([...purchases, current.event_id])] }));
  await play(current);
};
const showRights = async () => {
  element('rights').disabled = user === undefined;
  const { vip = false, denied = false } = user === undefined ? {} : await rights();
  element('rights').value = denied ? 'denied' : vip ? 'vip' : 'bought';
};

/** Registers the viewer with the service, as an application does after a user's first login. */
const register = (signed) =>
  call(`${profileUrl}/user/data`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${signed}` },
    body: {},
  });

let signIns = 0;
/** @param known a token of the viewer, if the page has one already */
const signIn = async (sub, known) => {
  signIns += 1;
  const turn = signIns;
  const signed = known ?? (await tokenOf(sub, keptClient.get(), keptLoginTime.get()));
  await register(signed);
  // Another viewer signed in while this call was running.
  if (turn !== signIns) return;
  token = signed;
  user = sub;
  keptUser.set(sub);
  element('viewer').textContent = `signed in as ${sub}`;
  element('sign-out').hidden = false;
  keepUser(sub);
  account.show();
  await Promise.all([list(), showPanels(), showRights()]);
};
/** Forgets who was signed in. A stream that plays goes on until its signature ends. */
const forget = async () => {
  token = undefined;
  user = undefined;
  keptUser.set(undefined);
  keptLoginTime.set(undefined);
  element('viewer').textContent = 'not signed in';
  element('sign-out').hidden = true;
  account.show();
  await Promise.all([list(), showPanels(), showRights()]);
};
const signOut = async () => {
  await free();
  leave();
  await forget();
};

element('user').value = keptUser.get() ?? element('user').value;
element('sign-in').addEventListener('submit', async (submission) => {
  submission.preventDefault();
  const wanted = element('user').value;
  if (user !== undefined && user !== wanted) await signOut();
  keptLoginTime.set(nowSeconds());
  await signIn(wanted);
  if (current !== undefined && (playing === undefined || playing.words !== undefined)) await play(current);
});
element('sign-out').addEventListener('click', signOut);
element('stop').addEventListener('click', async () => {
  await free();
  current = undefined;
  history.replaceState(null, '', location.pathname + location.search);
  leave();
  showCards();
});

fill(
  element('client'),
  ...applications.map(({ id, client_id: value }) => make('option', { value, textContent: id })),
);
element('client').value = keptClient.get();
element('client').addEventListener('change', async ({ target }) => {
  await free();
  leave();
  keptClient.set(target.value);
  await (user === undefined ? list() : signIn(user));
});

element('rights').addEventListener('change', async ({ target }) => {
  await rights(() => ({ vip: target.value === 'vip', denied: target.value === 'denied' }));
  await list();
  if (current !== undefined) await play(current);
});

fill(
  element('country'),
  make('option', { value: '', textContent: 'unknown' }),
  ...Object.entries(countries).map(([value, textContent]) => make('option', { value, textContent })),
);
element('country').addEventListener('change', async ({ target }) => {
  await call(place, { method: 'PUT', body: { country: target.value || null } });
  await list();
  // The functions cache the previous country for two seconds.
  setTimeout(list, 2_500);
});

/** Shows changes of status, and plays an event that begins. A call that fails is repeated by the next one. */
const refresh = async () => {
  const answer = await readEvents().catch(() => undefined);
  if (!answer?.ok || JSON.stringify(answer.body) === JSON.stringify(events)) return;
  events = answer.body;
  const before = current;
  if (before !== undefined) current = latest(before);
  showCards();
  if (awaited !== undefined && !isPlayable(before) && isPlayable(current)) await play(current);
};
setInterval(refresh, refreshMilliseconds);

/** Goes on with the viewer of the tab. A viewer who has logged in again for that is erased. */
const begin = async () => {
  const login = await loginReturned();
  const sub = login?.user ?? keptUser.get();
  if (sub === undefined) return list();
  if (login?.token !== undefined) keptLoginTime.set(nowSeconds());
  await signIn(sub, login?.token);
  if (login === undefined) return;
  reveal('my-data');
  await (login.token === undefined ? account.loginFailed() : account.erase({ hasJustLoggedIn: true }));
};

const start = async () => {
  element('country').value = (await call(place)).body.country ?? '';
  findWallets(wallets.show);
  if (signIns === 0) await begin();
  const chosen = events.find(({ event_id: id }) => `#${id}` === location.hash);
  if (chosen !== undefined && current === undefined) await play(chosen);
};
// A rejection of this promise is shown on the page.
export const started = start();
