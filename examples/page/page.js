let baseUrl;
let profileUrl;
let clientId;
let provider;
const [login, link, end, says, events, video] = ['login', 'link', 'end', 'says', 'events', 'video'].map(
  (id) => document.getElementById(id),
);
const kept = sessionStorage;
const say = (text) => {
  says.textContent = text;
};
const ask = async (url, options = {}) => {
  const caller = kept.token ? { authorization: `Bearer ${kept.token}` } : { 'x-client-id': clientId };
  const answer = await fetch(url, { ...options, headers: { ...caller, 'content-type': 'application/json' } });
  const body = answer.status === 204 ? undefined : await answer.json();
  if (answer.ok) return { answer, body };
  const { status } = answer;
  if (status === 401) kept.removeItem('token');
  const message = status === 401 ? 'Log in again' : (body.message ?? body.error_fields);
  const retryAfter = Number(answer.headers.get('retry-after')) || 0;
  throw Object.assign(new Error(message), { status, retryAfter });
};
const call = async (url, options) => (await ask(url, options)).body;
const orSay = (action) => () => action().catch((error) => say(error.message));

/** A random UUID. Browsers have `crypto.randomUUID` since 2021, and only on pages over HTTPS. */
const newId = () =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [random] = crypto.getRandomValues(new Uint8Array(1));
    return (digit ^ (random & (15 >> (digit / 4)))).toString(16);
  });

// Log in: the authorization code flow with PKCE.
const redirect = () => ({ client_id: clientId, redirect_uri: `${location.origin}/` });
const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/=+$/, '')
    .replace(/\+/g, '-')
    .replace(/\//g, '_');
login.onclick = async () => {
  kept.verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  kept.state = newId();
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(kept.verifier));
  const proof = { code_challenge: base64url(hash), code_challenge_method: 'S256' };
  const query = new URLSearchParams({ response_type: 'code', ...redirect(), ...proof, state: kept.state });
  location.assign(`${provider.authorization_endpoint}?${query}`);
};
const finishLogin = async () => {
  const returned = new URLSearchParams(location.search);
  if (returned.has('code') && returned.get('state') === kept.state) {
    const form = { grant_type: 'authorization_code', code: returned.get('code'), ...redirect() };
    const body = new URLSearchParams({ ...form, code_verifier: kept.verifier });
    const answer = await fetch(provider.token_endpoint, { method: 'POST', body });
    const { access_token: token } = answer.ok ? await answer.json() : {};
    if (token) kept.token = token;
  }
  history.replaceState(null, '', '/');
  say(kept.token ? 'You are logged in.' : 'You are not logged in.');
};

// Link a wallet: the wallet signs the message of a challenge. The first call registers a user who is new to the service.
link.onclick = orSay(async () => {
  await call(`${profileUrl}/user/data`, { method: 'PUT', body: '{"user_data":{}}' });
  const [address] = await window.ethereum.request({ method: 'eth_requestAccounts' });
  const asked = { method: 'POST', body: JSON.stringify({ address, origin: location.origin }) };
  const { challenge_id, message } = await call(`${profileUrl}/user/wallets/challenges`, asked);
  const hex = [...new TextEncoder().encode(message)].map((byte) => byte.toString(16).padStart(2, '0'));
  const params = [`0x${hex.join('')}`, address];
  const signature = await window.ethereum.request({ method: 'personal_sign', params });
  const proof = { method: 'PUT', body: JSON.stringify({ challenge_id, signature }) };
  await call(`${profileUrl}/user/wallets/${address}`, proof);
  say('Your wallet is linked.');
});

// Play: the same call opens the stream, and renews the cookies and the session.
let playing;
const forget = () => {
  kept.removeItem('session');
  kept.removeItem('continuation');
};
const open = async (id) => {
  kept.session = kept.session || newId();
  const { session, continuation } = kept;
  const query = new URLSearchParams({ session, ...(continuation && { continuation }) });
  const url = `${baseUrl}/api/v3/ott/events/${id}/stream?${query}`;
  const { answer, body: stream } = await ask(url, { credentials: 'include' }).catch((error) => {
    if (error.message === 'SESSION_ENDED' && kept.session === session) forget();
    throw error;
  });
  if (stream.continuation && kept.session === session) kept.continuation = stream.continuation;
  // Both times are of the service's clock: that of a television is often wrong.
  const pause = Date.parse(stream.renew_at) - Date.parse(answer.headers.get('date'));
  return { ...stream, pause };
};
const renewLater = ({ renew_at, pause }, mine) => {
  if (renew_at) mine.timer = setTimeout(() => renew(mine), Math.max(pause, 3_000));
};
const renew = async (mine) => {
  const stream = await open(mine.id).catch((error) => error);
  if (playing !== mine) return;
  if (!(stream instanceof Error)) return renewLater(stream, mine);
  const { status, retryAfter = 0 } = stream;
  if (status < 500 && status !== 429) return say(`${stream.message}: the stream ends soon.`);
  mine.timer = setTimeout(() => renew(mine), Math.max(2, retryAfter) * 1_000);
};
let turn = 0;
const stop = () => {
  turn += 1;
  clearTimeout(playing?.timer);
  playing?.hls.destroy();
  playing = undefined;
};
const play = async (id) => {
  stop();
  const mine = turn;
  const stream = await open(id);
  if (turn !== mine) return;
  const hls = new Hls({
    xhrSetup: (request) => {
      request.withCredentials = true;
    },
  });
  playing = { id, hls };
  renewLater(stream, playing);
  hls.loadSource(stream.url);
  hls.attachMedia(video);
  hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
  hls.on(Hls.Events.ERROR, (_, { fatal, details }) => fatal && say(`The stream fails: ${details}`));
  say(`You are watching ${id}.`);
};
end.onclick = orSay(async () => {
  const ended = playing;
  stop();
  if (ended !== undefined) {
    const body = JSON.stringify({ session: kept.session });
    const url = `${baseUrl}/api/v3/ott/events/${ended.id}/stream/end`;
    await call(url, { method: 'POST', keepalive: true, body });
  }
  forget();
  say('The stream has ended.');
});

// What is LIVE first, then what begins next, then what is past.
const rank = ({ status }) => (status === 'LIVE' ? 0 : status === 'UPCOMING' ? 1 : 2);
const inOrder = (one, other) => {
  const later = Date.parse(one.starts_at) - Date.parse(other.starts_at);
  return rank(one) - rank(other) || (rank(one) === 1 ? later : -later);
};
const list = orSay(async () => {
  for (const { event_id: id, title } of (await call(`${baseUrl}/api/v3/ott/events/`)).sort(inOrder)) {
    const button = Object.assign(document.createElement('button'), { id, textContent: `Play ${title}` });
    button.onclick = orSay(() => play(id));
    const item = document.createElement('li');
    item.append(button);
    events.append(item);
  }
});

const start = async () => {
  const settings = await (await fetch('/settings.json')).json();
  ({ baseUrl, profileUrl, clientId } = settings);
  provider = await (await fetch(`${settings.issuer}/.well-known/openid-configuration`)).json();
  await finishLogin();
  await list();
};
export const started = start();
