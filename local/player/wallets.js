/*
 * Shows the viewer's wallets and their tickets, and links wallets by a signature. A wallet is one of the browser's, or
 * one that this page has created.
 */
import { addressOf, heldTokens, newKey, pageProvider, sendToken } from './chain.js';
import { button, call, element, make } from './page.js';

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

export const walletPanel = ({ session, onTickets }) => {
  const say = (text) => {
    element('wallet-message').textContent = text;
  };
  const profile = (path, options = {}) =>
    call(`${profileUrl}${path}`, { ...options, headers: { authorization: `Bearer ${session().token}` } });
  const reason = ({ status, body }) =>
    [status, body?.message, ...(body?.errors ?? []).map(({ path, message }) => `${path} ${message}`)].join(
      ' ',
    );

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

  const linked = async (provider) => {
    try {
      const [address] = await provider.request({ method: 'eth_requestAccounts', params: [] });
      const challenge = await challengeFor(address);
      if (!challenge.ok) return `The wallet was not linked (${reason(challenge)}).`;
      const { challenge_id, message } = challenge.body;
      const signature = await provider.request({
        method: 'personal_sign',
        params: [hexOf(message), address],
      });
      const body = { challenge_id, signature };
      const answer = await profile(`/user/wallets/${address}`, { method: 'PUT', body });
      return answer.ok ? `${short(address)} is linked.` : `The wallet was not linked (${reason(answer)}).`;
    } catch (error) {
      // 4001 (EIP-1193): the wallet's owner rejected the request.
      return error.code === 4001 ? 'The wallet did not sign.' : `The wallet failed: ${error.message}`;
    }
  };
  const link = async (provider) => {
    const text = await linked(provider);
    await show();
    say(text);
  };

  /** Mints a ticket with the customer's API key, as the customer's shop does. */
  const mint = async (contract, destination) => {
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
    if (!answer.ok) return say(`The ticket was not minted (${reason(answer)}).`);
    const deadline = Date.now() + untilHeldMilliseconds;
    while (!(await heldTokens(contract, destination)).includes(BigInt(answer.body.id))) {
      if (Date.now() > deadline) return say('The chain has not confirmed the ticket yet.');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    say(`Ticket ${answer.body.id} is in ${short(destination)}. It gives access to the stream within 15 s.`);
    void onTickets();
    return show();
  };

  const providerOf = (address) => {
    const key = Object.values(keys()).find((each) => isSame(addressOf(each), address));
    return key === undefined ? browserWallets()[0]?.provider : pageProvider(key);
  };

  const sell = async ({ contract, id, from, to }) => {
    if (!/^0x[0-9a-fA-F]{40}$/.test(to))
      return say('Enter the buyer’s address: 0x and 40 hexadecimal digits.');
    say('Selling …');
    let text = `Ticket ${id} is sold to ${short(to)}. The stream ends here when its signature expires.`;
    try {
      await sendToken({ provider: providerOf(from), contract, from, to, id });
    } catch (error) {
      text = `The ticket was not sold: ${error.message}`;
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

  const showTickets = async (linked, event) => {
    const rows = [];
    for (const { contract_address: contract } of event?.tickets ?? []) {
      for (const { address } of linked) {
        const ids = await heldTokens(contract, address);
        rows.push(...ids.map((id) => ticketRow({ contract, id, from: address })));
      }
      if (linked.length === 0) continue;
      const [{ address }] = linked;
      const get = button('Get a ticket', () => mint(contract, address), { id: 'get-ticket' });
      rows.push(make('li', {}, rows.length === 0 ? `You have no ticket for ${event.title} yet` : '', get));
    }
    return rows;
  };

  let shown = 0;
  const show = async () => {
    shown += 1;
    const turn = shown;
    const { user, event } = session();
    element('wallets').hidden = user === undefined;
    if (user === undefined) return;
    const answer = await profile('/user/wallets');
    const linked = answer.ok ? answer.body : [];
    const rows = await showTickets(linked, event);
    if (turn !== shown) return;
    element('linked').replaceChildren(
      ...(linked.length === 0 ? [make('li', { className: 'soft' }, 'You have linked no wallet.')] : []),
      ...linked.map(({ address }) =>
        make(
          'li',
          { title: address },
          make('code', {}, short(address)),
          button('Copy', () => navigator.clipboard.writeText(address), { className: 'quiet' }),
          button(
            'Unlink',
            async () => {
              await profile(`/user/wallets/${address}`, { method: 'DELETE' });
              await show();
            },
            { className: 'quiet' },
          ),
        ),
      ),
    );
    element('link').replaceChildren(
      ...browserWallets().map(({ name, provider }) => button(`Link ${name}`, () => link(provider))),
      ...(linked.some(({ address }) => isSame(address, madeFor(user)))
        ? []
        : [button('Link a wallet made here', () => link(pageWallet(user)), { id: 'link-page' })]),
    );
    element('tickets').replaceChildren(...rows);
  };
  return { show };
};
