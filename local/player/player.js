import { button, call, element, make } from './page.js';
import { broken, ended, refusalOf } from './refusals.js';
import { findWallets, walletPanel } from './wallets.js';

const { base_url: baseUrl, oidc_issuer: issuer, entitlement_url: entitlementUrl } = window.settings;
const { geolocation_url: geolocationUrl, applications } = window.settings;
const video = element('video');
const place = `${geolocationUrl}/addresses/127.0.0.1`;
const countries = ['AT', 'CH', 'DE', 'FR', 'GB', 'IS', 'NO', 'US'];

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
const keptClient = kept(
  'client',
  () => (applications.find(({ id }) => id === 'arena') ?? applications[0])?.client_id,
);
const keptScreen = kept('screen', () => {
  const id = crypto.randomUUID();
  sessionStorage.setItem('marquee-screen', id);
  return id;
});

let token;
let user;
let events = [];
let current;
let playing;
let attempts = 0;

const authorization = () =>
  token === undefined ? { 'x-client-id': keptClient.get() } : { authorization: `Bearer ${token}` };
const ask = (path, options = {}) =>
  call(`${baseUrl}/api/v3/ott/events/${path}`, {
    credentials: 'include',
    headers: authorization(),
    ...options,
  });

const wallets = walletPanel({
  session: () => ({ token, user, event: current }),
  onTickets: () => playWhenSeen(),
});

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
  wallet: () =>
    button('Use a ticket', () => element('wallets').scrollIntoView({ behavior: 'smooth' }), {
      className: 'quiet',
    }),
  retry: () => button('Try again', () => play(current), { className: 'quiet' }),
  begin: () =>
    button('Play here again', () => {
      keptScreen.set(undefined);
      return play(current);
    }),
};

const show = (refusal) => {
  element('refusal').hidden = refusal === undefined;
  element('spinner').hidden = true;
  if (refusal === undefined) return;
  element('message').textContent = refusal.message;
  element('next').textContent = refusal.next;
  element('screens').replaceChildren(...refusal.screens.map(screenRow));
  element('actions').replaceChildren(...refusal.actions.map((name) => actions[name]()));
};

const badge = (text, kind = '') => make('span', { className: `badge ${kind}` }, text);
const card = (event) => {
  const { event_id: id, title, description, status, access, image, tickets, starts_at: startsAt } = event;
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
    button('Play', () => play(event), { dataset: { eventId: id }, ariaLabel: `Play ${title}` }),
  );
  return make('li', { className: `card${id === current?.event_id ? ' current' : ''}` }, poster, text);
};
const showCards = () => element('events').replaceChildren(...events.map(card));

const list = async () => {
  const answer = await ask('?limit=100');
  events = answer.ok ? answer.body : [];
  showCards();
  if (!answer.ok) show(refusalOf(answer));
};

const halt = () => {
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
  await call(`${baseUrl}/api/v3/ott/events/${encodeURIComponent(playing.event.event_id)}/stream/end`, {
    method: 'POST',
    keepalive: true,
    headers: authorization(),
    body: { session: keptScreen.get() },
  }).catch(() => undefined);
};

/** Requests the stream. The response sets the signed cookies; `renewLater` requests them again before they expire. */
const open = (event, { takeOver: other } = {}) => {
  const query = new URLSearchParams({ session: keptScreen.get(), ...(other && { take_over: other }) });
  return ask(`${encodeURIComponent(event.event_id)}/stream?${query}`);
};

const renewLater = ({ expires_at: expiresAt, renew_at: renewAt }) => {
  if (expiresAt === null || playing === undefined) return;
  const begins = Date.now();
  const ends = Date.parse(expiresAt);
  playing.life = { begins, ends };
  const at = renewAt === undefined ? begins + (ends - begins) * 0.6 : Date.parse(renewAt);
  renewAfter(at - begins);
};
const renewAfter = (milliseconds) => {
  const renewed = playing;
  renewed.renewal = setTimeout(
    async () => {
      const answer = await open(renewed.event).catch(() => ({ status: 503 }));
      if (renewed !== playing) return;
      if (answer.ok) {
        show(undefined);
        renewLater(answer.body);
      } else if (answer.status >= 500) renewAfter(2_000);
      else {
        // If another screen has taken over, the stream stops now. After any other refusal, it plays until its signature
        // expires.
        if (answer.body?.message === 'SESSION_ENDED') leave();
        show(refusalOf({ ...answer, event: renewed.event }));
      }
    },
    Math.max(milliseconds, 0),
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
  element('life-text').textContent = `the signature is valid for another ${Math.ceil(left / 1_000)} s`;
};
setInterval(showLife, 250);

const leave = () => {
  halt();
  attempts += 1;
  element('playing').hidden = true;
  element('idle').hidden = false;
  show(undefined);
};

const play = async (event, options) => {
  halt();
  attempts += 1;
  const attempt = attempts;
  const isOther = event !== current;
  current = event;
  location.hash = event.event_id;
  showCards();
  show(undefined);
  element('playing').hidden = false;
  element('playing-title').textContent = event.title;
  video.poster = event.image ?? '';
  element('idle').hidden = true;
  element('spinner').hidden = false;
  if (isOther) void wallets.show();
  const answer = await open(event, options).catch(() => ({ status: 503 }));
  // The viewer chose another event while this call was running.
  if (attempt !== attempts) return;
  if (!answer.ok) {
    show(refusalOf({ ...answer, event }));
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
    if (response?.code === 403) show(ended);
    else if (fatal) show(broken);
  });
  hls.loadSource(answer.body.url);
  hls.attachMedia(video);
  hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
  renewLater(answer.body);
};
/**
 * For how long to retry after a refusal. The service caches the chain's answers, so it can go on refusing a viewer who
 * has just received a ticket.
 */
const ticketPatienceMilliseconds = 30_000;
const playWhenSeen = async () => {
  const [event, deadline] = [current, Date.now() + ticketPatienceMilliseconds];
  while (event === current && playing === undefined && Date.now() < deadline) {
    await play(event);
    if (playing === undefined) await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
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

let signIns = 0;
const signIn = async (sub) => {
  signIns += 1;
  const turn = signIns;
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ sub, client_id: keptClient.get() }),
  });
  const { access_token: signed } = await response.json();
  // Another viewer signed in while this call was running.
  if (turn !== signIns) return;
  token = signed;
  user = sub;
  keptUser.set(sub);
  element('viewer').textContent = `signed in as ${sub}`;
  element('sign-out').hidden = false;
  await Promise.all([list(), wallets.show(), showRights()]);
};
const signOut = async () => {
  await free();
  leave();
  token = undefined;
  user = undefined;
  keptUser.set(undefined);
  element('viewer').textContent = 'not signed in';
  element('sign-out').hidden = true;
  await Promise.all([list(), wallets.show(), showRights()]);
};

element('user').value = keptUser.get() ?? element('user').value;
element('sign-in').addEventListener('submit', async (submission) => {
  submission.preventDefault();
  const wanted = element('user').value;
  if (user !== undefined && user !== wanted) await signOut();
  await signIn(wanted);
  if (current !== undefined && playing === undefined) await play(current);
});
element('sign-out').addEventListener('click', signOut);
element('stop').addEventListener('click', async () => {
  await free();
  current = undefined;
  history.replaceState(null, '', location.pathname + location.search);
  leave();
  showCards();
});

element('client').replaceChildren(
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

const nameOf = new Intl.DisplayNames(['en'], { type: 'region' });
element('country').replaceChildren(
  make('option', { value: '', textContent: 'unknown' }),
  ...countries.map((value) => make('option', { value, textContent: nameOf.of(value) })),
);
element('country').value = (await call(place)).body.country ?? '';
element('country').addEventListener('change', async ({ target }) => {
  await call(place, { method: 'PUT', body: { country: target.value || null } });
  await list();
  // The functions cache the previous country for two seconds.
  setTimeout(list, 2_500);
});

findWallets(wallets.show);
if (signIns === 0) await (keptUser.get() === undefined ? list() : signIn(keptUser.get()));
const chosen = events.find(({ event_id: id }) => `#${id}` === location.hash);
if (chosen !== undefined && current === undefined) await play(chosen);
