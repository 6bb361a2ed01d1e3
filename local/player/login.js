/*
 * Signs viewers in at the issuer. The local issuer gives a token to whoever asks for one, so the page usually shows no
 * login. For what needs a login of the last minutes, the page sends the viewer to the issuer's own page.
 */
import { newId } from './page.js';

const { oidc_issuer: issuer } = window.settings;

/** The longest time since the login with which a user may be erased. */
const freshSeconds = 600;
/** A token that is almost too old may be too old when it arrives. */
const spareSeconds = 20;

export const nowSeconds = () => Math.floor(Date.now() / 1_000);

const tokenFrom = async (form) => {
  const response = await fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(form) });
  return (await response.json()).access_token;
};

/** A token of a viewer who logged in at a time, in seconds. A new token does not make the login newer. */
export const tokenOf = (sub, clientId, loggedInAt) =>
  tokenFrom({ sub, client_id: clientId, auth_time: loggedInAt });

const fromBase64Url = (text) => {
  const bytes = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
};
const toBase64Url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');

const claimsOf = (token) => JSON.parse(fromBase64Url(token.split('.')[1]));

/** Whether the token is from a login of the last minutes. */
export const isFresh = (token) =>
  nowSeconds() - (claimsOf(token).auth_time ?? 0) < freshSeconds - spareSeconds;

const keptLogin = 'marquee-login';
const redirectUri = () => `${location.origin}${location.pathname}`;

/**
 * Sends the viewer to the issuer to log in, whether or not the issuer remembers the viewer (OpenID Connect Core 1.0,
 * 3.1.2.1; RFC 7636). The page is loaded again afterwards.
 */
export const logInAgain = async ({ user, clientId }) => {
  const login = { user, clientId, state: newId(), verifier: `${newId()}${newId()}`, returnTo: location.hash };
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(login.verifier));
  sessionStorage.setItem(keptLogin, JSON.stringify(login));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    state: login.state,
    scope: 'openid',
    prompt: 'login',
    max_age: freshSeconds,
    login_hint: user,
    code_challenge: toBase64Url(challenge),
    code_challenge_method: 'S256',
  });
  location.assign(`${issuer}/authorize?${query}`);
};

/**
 * The login from which the viewer has just come back: of whom it was asked, and the token. `token` is undefined if the
 * viewer did not log in, or as somebody else. `undefined` if the viewer does not come from the issuer.
 */
export const loginReturned = async () => {
  const answer = new URLSearchParams(location.search);
  const login = JSON.parse(sessionStorage.getItem(keptLogin) ?? 'null');
  sessionStorage.removeItem(keptLogin);
  if (login === null || answer.get('state') !== login.state) return undefined;
  history.replaceState(null, '', `${location.pathname}${login.returnTo}`);
  const { user, clientId, verifier } = login;
  if (answer.get('iss') !== issuer || !answer.has('code')) return { user, clientId };
  const token = await tokenFrom({
    grant_type: 'authorization_code',
    code: answer.get('code'),
    client_id: clientId,
    redirect_uri: redirectUri(),
    code_verifier: verifier,
  });
  const isSame = token !== undefined && claimsOf(token).sub === user;
  return { user, clientId, token: isSame ? token : undefined };
};
