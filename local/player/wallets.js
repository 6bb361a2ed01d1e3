/*
 * Shows the viewer's wallets and their tickets, and links wallets by a signature. A wallet is one of the browser's, or
 * one that this page has created.
 */
import { addressOf, heldTokens, newKey, pageProvider, sendToken } from './chain.js';
import { button, call, element, make, reveal } from './page.js';
import { linkDue, walletReason } from './refusals.js';

const { api_url_profile: profileUrl, base_url: baseUrl, applications } = window.settings;
const storage = 'marquee-wallets';
/** The private keys of the wallets that this page created, by viewer. */
const keys = () => JSON.parse(localStorage.getItem(storage) ?? '{}');
const short = (address) => `${address.slice(0, 6)}…${address.slice(-4)}`;
const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();
const hexOf = (text) =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
const untilHeldMilliseconds = 60_000;

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

export const walletPanel = ({ session, isPlaying, onTicket }) => {
  const say = (text) => {
    element('wallet-message').textContent = text;
    reveal('wallet-message');
  };
  const profile = (path, options = {}) =>
    call(`${profileUrl}${path}`, { ...options, headers: { authorization: `Bearer ${session().token}` } });

  const pageWallet = (user) => {
    const key = keys()[user] ?? newKey();
    localStorage.setItem(storage, JSON.stringify({ ...keys(), [user]: key }));
    return pageProvider(key);
  };

  const madeFor = (user) => (keys()[user] === undefined ? '' : addressOf(keys()[user]));

  const challengeFor = async (address) => {
    const ask = () =>
      profile('/user/wallets/challenges', { method: 'POST', body: { address, origin: location.origin } });
    const first = await ask();
    if (first.status !== 404) return first;
    await profile('/user/data', { method: 'PUT', body: {} });
    return ask();
  };

  const linked = async (provider, wanted) => {
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
    const text = await linked(provider, wanted);
    await show();
    say(text);
  };

  /** Mints a ticket with the customer's API key, as the customer's shop does. */
  const mint = async ({ event, contract, destination }) => {
    say('Minting a ticket …');
    let answer;
    for (const { api_key: key } of applications) {
      answer = await call(`${baseUrl}/api/v1/nft/contracts/${contract}/mint`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: { destination, metadata: { name: 'Ticket' } },
      });
      // 404: the collection belongs to another application.
      if (answer.status !== 404) break;
    }
    if (!answer.ok) return say(`The ticket was not minted. ${walletReason(answer)}`);
    const deadline = Date.now() + untilHeldMilliseconds;
    while (!(await heldTokens(contract, destination)).includes(BigInt(answer.body.id))) {
      if (Date.now() > deadline)
        return say('The chain has not confirmed the ticket yet. Choose the event again in a minute.');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await show();
    say(`Ticket ${answer.body.id} is in ${short(destination)}. It gives access to the stream within 15 s.`);
    await onTicket(event);
  };

  const providerOf = (address) => {
    const key = Object.values(keys()).find((each) => isSame(addressOf(each), address));
    return key === undefined ? browserWallets()[0]?.provider : pageProvider(key);
  };

  const sell = async ({ contract, id, from, to }) => {
    if (!/^0x[0-9a-fA-F]{40}$/.test(to))
      return say('Enter the buyer’s address: 0x and 40 hexadecimal digits.');
    say('Selling …');
    const ending = isPlaying() ? ' The stream ends here within a minute.' : '';
    let text = `Ticket ${id} was sold to ${short(to)}.${ending}`;
    try {
      await sendToken({ provider: providerOf(from), contract, from, to, id });
    } catch (error) {
      text = `The ticket was not sold: ${error.message}. Try again.`;
    }
    await show();
    say(text);
  };

  const ticketRow = ({ contract, id, from }) => {
    const buyers = Object.entries(keys()).filter(([user]) => user !== session().user);
    const to = make('input', { placeholder: '0x… of the buyer', ariaLabel: `Buyer of ticket ${id}` });
    to.setAttribute('list', 'buyers');
    const options = buyers.map(([user, key]) => make('option', { value: addressOf(key), label: user }));
    return make(
      'li',
      { dataset: { ticket: String(id) } },
      `Ticket ${id}`,
      to,
      button('Sell', () => sell({ contract, id, from, to: to.value.trim() }), { className: 'quiet' }),
      make('datalist', { id: 'buyers' }, ...options),
    );
  };

  /** The wallets that have held a ticket since the page was loaded, by viewer and event. */
  const holders = new Map();
  const holderKey = (event) => JSON.stringify([session().user, event.event_id]);

  const linkedWallets = async () => {
    const answer = await profile('/user/wallets');
    return answer.ok ? answer.body : [];
  };

  const showTickets = async (linked, event) => {
    const rows = [];
    for (const { contract_address: contract } of event?.tickets ?? []) {
      for (const { address } of linked) {
        const ids = await heldTokens(contract, address);
        rows.push(...ids.map((id) => ticketRow({ contract, id, from: address })));
        const known = holders.get(holderKey(event)) ?? [];
        if (ids.length > 0) holders.set(holderKey(event), [...known, address]);
      }
      if (linked.length === 0) continue;
      const [{ address }] = linked;
      const get = button('Get a ticket', () => mint({ event, contract, destination: address }), {
        id: 'get-ticket',
      });
      rows.push(make('li', {}, rows.length === 0 ? `You have no ticket for ${event.title} yet` : '', get));
    }
    return rows;
  };

  const linkAgain = async (address) => {
    const provider = providerOf(address);
    if (provider === undefined) say('This browser has no wallet. Open the page where your wallet is.');
    else await link(provider, address);
  };

  const unlink = async (address) => {
    const answer = await profile(`/user/wallets/${address}`, { method: 'DELETE' });
    await show();
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
    const { user, event } = session();
    element('wallets').hidden = user === undefined;
    if (user === undefined) return;
    const linked = await linkedWallets();
    const rows = await showTickets(linked, event);
    if (turn !== shown) return;
    element('linked').replaceChildren(
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
    element('link').replaceChildren(
      ...browserWallets().map(({ name, provider }) => button(`Link ${name}`, () => link(provider))),
      ...(linked.some(({ address }) => isSame(address, madeFor(user)))
        ? []
        : [button('Link a wallet made here', () => link(pageWallet(user)), { id: 'link-page' })]),
    );
    element('tickets').replaceChildren(...rows);
  };
  /** Whether a wallet that has held a ticket for the event is still linked, and no linked wallet holds one now. */
  const hasSold = async (event) => {
    const linked = await linkedWallets();
    const former = holders.get(holderKey(event)) ?? [];
    if (!linked.some(({ address }) => former.includes(address))) return false;
    const held = await Promise.all(
      event.tickets.flatMap(({ contract_address: contract }) =>
        linked.map(({ address }) => heldTokens(contract, address)),
      ),
    );
    return held.flat().length === 0;
  };

  return { show, hasSold };
};
