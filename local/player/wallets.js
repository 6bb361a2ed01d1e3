/*
 * Shows the viewer's wallets, and links wallets by a signature. A wallet is one of the browser's, or one that this page
 * has created.
 */
import { addressOf, newKey, pageProvider } from './chain.js';
import { button, element, fill, make, reveal, short, unread } from './page.js';
import { linkDue, walletReason } from './refusals.js';

const { api_url_profile: profileUrl } = window.settings;
const storage = 'marquee-wallets';
/** The private keys of the wallets that this page created, by viewer. */
const keys = () => JSON.parse(localStorage.getItem(storage) ?? '{}');
const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();
const hexOf = (text) =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** Wallets that the browser announces (EIP-6963). */
const announced = new Map();
export const findWallets = (onChange) => {
  addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) => {
    announced.set(info.uuid, { name: info.name, icon: info.icon, provider });
    onChange();
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
};
const browserWallets = () => {
  if (announced.size > 0) return [...announced.values()];
  return window.ethereum === undefined ? [] : [{ name: 'the browser’s wallet', provider: window.ethereum }];
};

export const walletPanel = ({ session, asViewer, onChange }) => {
  const say = (text) => {
    element('wallet-message').textContent = text;
    reveal('wallet-message');
  };
  const profile = (path, options) => asViewer(`${profileUrl}${path}`, options);

  const pageWallet = (user) => {
    const key = keys()[user] ?? newKey();
    localStorage.setItem(storage, JSON.stringify({ ...keys(), [user]: key }));
    return pageProvider(key);
  };

  const madeFor = (user) => (keys()[user] === undefined ? '' : addressOf(keys()[user]));

  const challengeFor = (address) =>
    profile('/user/wallets/challenges', { method: 'POST', body: { address, origin: location.origin } });

  const proved = async (provider, wanted) => {
    try {
      const accounts = await provider.request({ method: 'eth_requestAccounts', params: [] });
      const address =
        wanted === undefined ? accounts[0] : accounts.find((account) => isSame(account, wanted));
      if (address === undefined) return `Choose ${short(wanted)} in your wallet, and try again.`;
      const challenge = await challengeFor(address);
      if (!challenge.ok) return `The wallet was not linked. ${walletReason(challenge)}`;
      const { challenge_id, message } = challenge.body;
      const signature = await provider.request({
        method: 'personal_sign',
        params: [hexOf(message), address],
      });
      const body = { challenge_id, signature };
      const answer = await profile(`/user/wallets/${address}`, { method: 'PUT', body });
      return answer.ok
        ? `${short(address)} is linked.`
        : `The wallet was not linked. ${walletReason(answer)}`;
    } catch (error) {
      // 4001 (EIP-1193): the wallet's owner rejected the request.
      return error.code === 4001
        ? 'You rejected the request in your wallet. To link the wallet, try again and accept.'
        : `The wallet was not linked: ${error.message}. Try again.`;
    }
  };
  const link = async (provider, wanted) => {
    say('Waiting for your wallet to sign …');
    const text = await proved(provider, wanted);
    await Promise.all([show(), onChange()]);
    say(text);
  };

  const providerOf = (address) => {
    const key = Object.values(keys()).find((each) => isSame(addressOf(each), address));
    return key === undefined ? browserWallets()[0]?.provider : pageProvider(key);
  };

  const linkedWallets = async () => {
    const answer = await profile('/user/wallets');
    if (!answer.ok) throw new Error(walletReason(answer));
    return answer.body;
  };

  const linkAgain = async (address) => {
    const provider = providerOf(address);
    if (provider === undefined) say('This browser has no wallet. Open the page where your wallet is.');
    else await link(provider, address);
  };

  const unlink = async (address) => {
    const answer = await profile(`/user/wallets/${address}`, { method: 'DELETE' });
    await Promise.all([show(), onChange()]);
    say(
      answer.ok ? `${short(address)} is unlinked.` : `The wallet was not unlinked. ${walletReason(answer)}`,
    );
  };
  const copy = async (address) => {
    const isCopied = await navigator.clipboard.writeText(address).then(
      () => true,
      () => false,
    );
    say(
      isCopied
        ? `${short(address)} is copied.`
        : `The browser does not let the page copy. Copy by hand: ${address}`,
    );
  };

  let shown = 0;
  const show = async () => {
    shown += 1;
    const turn = shown;
    const { user } = session();
    element('wallets').hidden = user === undefined;
    if (user === undefined) return;
    const linked = await linkedWallets().catch((error) => error);
    if (turn !== shown) return;
    if (linked instanceof Error) {
      fill(element('linked'), unread('Your wallets', linked, show));
      fill(element('link'));
      return;
    }
    fill(
      element('linked'),
      ...(linked.length === 0 ? [make('li', { className: 'soft' }, 'You have linked no wallet.')] : []),
      ...linked.map((wallet) => {
        const { address } = wallet;
        const due = linkDue(wallet);
        return make(
          'li',
          { title: address },
          make('code', {}, short(address)),
          button('Copy', () => copy(address), { className: 'quiet' }),
          button('Unlink', () => unlink(address), { className: 'quiet' }),
          ...(due === undefined
            ? []
            : [make('p', { className: 'due' }, due), button('Link again', () => linkAgain(address))]),
        );
      }),
    );
    fill(
      element('link'),
      ...browserWallets().map(({ name, provider }) => button(`Link ${name}`, () => link(provider))),
      ...(linked.some(({ address }) => isSame(address, madeFor(user)))
        ? []
        : [button('Link a wallet made here', () => link(pageWallet(user)), { id: 'link-page' })]),
    );
  };
  /** The wallets that this page has created for other viewers. */
  const othersMadeHere = (own) =>
    Object.entries(keys())
      .filter(([user]) => user !== own)
      .map(([user, key]) => ({ user, address: addressOf(key) }));

  return { show, linked: linkedWallets, providerOf, othersMadeHere };
};
