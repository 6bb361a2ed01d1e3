/* What a viewer's client does: sign in, list, ask for a stream, play it, and ask again before its signature ends. */
const { baseUrl, issuer, clientId } = window.settings;
const element = (id) => document.getElementById(id);
const [video, message] = [element('video'), element('message')];

const reasons = {
  LOGIN_REQUIRED: 'Sign in to play this.',
  PURCHASE_REQUIRED: 'This has to be bought first.',
  ENTITLEMENT_DENIED: 'You may not play this.',
  ENTITLEMENT_UNAVAILABLE: 'Whether you may play this cannot be found out just now. Try again.',
  EVENT_NOT_FOUND: 'There is nothing to play here.',
  STREAM_NOT_AVAILABLE: 'This cannot be played now.',
};

let token;
let playing;
let attempts = 0;

const say = (text) => {
  message.textContent = text;
};

const ask = (path) =>
  fetch(`${baseUrl}/api/v3/ott/events/${path}`, {
    credentials: 'include',
    headers: token === undefined ? { 'x-client-id': clientId } : { authorization: `Bearer ${token}` },
  });

const list = async () => {
  const response = await ask('?limit=100');
  const events = response.ok ? await response.json() : [];
  element('events').replaceChildren(
    ...events.map(({ event_id: id, title, status, access }) => {
      const [item, text, button] = ['li', 'span', 'button'].map((name) => document.createElement(name));
      text.textContent = `${title} (${status}, ${access})`;
      button.textContent = 'Play';
      button.dataset.eventId = id;
      button.addEventListener('click', () => play(id));
      item.append(text, button);
      return item;
    }),
  );
  if (!response.ok) say(`The list was refused (${response.status}).`);
};

const stop = () => {
  clearTimeout(playing?.renewal);
  playing?.hls.destroy();
  playing = undefined;
};

/** Cookies come with the answer; they are requested again some time before they end. */
const open = async (id) => {
  const response = await ask(`${encodeURIComponent(id)}/stream`);
  const body = await response.json();
  if (response.ok) return body;
  const when = body.available_from === undefined ? '' : ` It starts at ${body.available_from}.`;
  say(`${reasons[body.message] ?? 'It was refused.'}${when} (${response.status} ${body.message})`);
  return undefined;
};

const renewLater = (id, { expires_at: expiresAt }) => {
  if (expiresAt === null || playing === undefined) return;
  const left = Date.parse(expiresAt) - Date.now();
  playing.renewal = setTimeout(async () => {
    const stream = await open(id);
    if (stream !== undefined) renewLater(id, stream);
  }, left * 0.6);
};

const play = async (id) => {
  stop();
  attempts += 1;
  const attempt = attempts;
  video.removeAttribute('src');
  say('');
  const stream = await open(id);
  // The viewer has chosen another event meanwhile.
  if (stream === undefined || attempt !== attempts) return;
  const hls = new Hls({
    maxBufferLength: 5,
    maxMaxBufferLength: 8,
    xhrSetup: (request) => {
      request.withCredentials = true;
    },
  });
  playing = { hls };
  hls.on(Hls.Events.ERROR, (_, { fatal, response }) => {
    if (response?.code === 403) say('The distribution refuses to go on: what let you in has ended. (403)');
    if (fatal && response?.code !== 403) say('The stream cannot be played.');
  });
  hls.loadSource(stream.url);
  hls.attachMedia(video);
  hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
  renewLater(id, stream);
};

element('sign-in').addEventListener('submit', async (submission) => {
  submission.preventDefault();
  const sub = element('user').value;
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ sub, client_id: clientId }),
  });
  token = (await response.json()).access_token;
  element('viewer').textContent = `signed in as ${sub}`;
  await list();
});
element('sign-out').addEventListener('click', async () => {
  stop();
  token = undefined;
  element('viewer').textContent = 'not signed in';
  await list();
});

await list();
