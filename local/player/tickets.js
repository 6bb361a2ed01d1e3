/*
 * Shows the viewer's tickets for the chosen event: those that the shop has reserved for the viewer, and those in the
 * viewer's wallets. For what only a shop may do, the page calls with the API key of the shop's application, as the
 * shop's server would.
 */
import { heldTokens, sendToken } from './chain.js';
import { button, call, element, fill, make, reveal, short, unread } from './page.js';
import { ticketReason } from './refusals.js';

const { api_url_b2b: b2bUrl, api_url_profile: profileUrl, base_url: baseUrl, applications } = window.settings;
const untilMinedMilliseconds = 60_000;
const pauseMilliseconds = 300;

const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();

const shops = new Map();
/** The application that has deployed the collection. */
const shopOf = async (contract) => {
  if (shops.has(contract)) return shops.get(contract);
  for (const application of applications) {
    const headers = { 'x-api-key': application.api_key };
    const answer = await call(`${baseUrl}/api/v1/nft/contracts/${contract}`, { headers });
    if (answer.ok) shops.set(contract, application);
    else if (answer.status >= 500 || answer.status === 429) throw new Error(ticketReason(answer));
  }
  return shops.get(contract);
};

/** Calls as the shop's server does. */
const asShop = (shop, url, options) => call(url, { ...options, headers: { 'x-api-key': shop.api_key } });

const identifierOf = async (shop, user) => {
  const answer = await asShop(shop, `${b2bUrl}/vendor/user-subs/get`, {
    method: 'POST',
    body: { user_subs: [user] },
  });
  return answer.body?.user_subs?.[0]?.application_user_sub ?? undefined;
};

export const ticketPanel = ({ session, tokenFor, knownUsers, wallets, isPlaying, onTicket }) => {
  const say = (text) => {
    element('ticket-message').textContent = text;
    reveal('ticket-message');
  };
  const keyOf = (event) => JSON.stringify([session().user, event.event_id]);
  const ending = () => (isPlaying() ? ' The stream ends here within a minute.' : '');

  /** The tokens of the collection that are reserved for the viewer or that the viewer claims. */
  const reservedTokens = async (contract) => {
    const shop = await shopOf(contract);
    if (shop === undefined) return [];
    const headers = { authorization: `Bearer ${await tokenFor(shop.client_id)}` };
    const answer = await call(`${profileUrl}/user/tokens`, { headers });
    if (!answer.ok) throw new Error(ticketReason(answer));
    return answer.body.filter(
      ({ contract_address: address, status }) =>
        isSame(address, contract) && (status === 'reserved' || status === 'pending'),
    );
  };

  /** Reserves a ticket for the viewer. That needs no wallet and no transaction. */
  const get = async (event) => {
    const [{ contract_address: contract }] = event.tickets;
    say('Getting a ticket …');
    const shop = await shopOf(contract);
    if (shop === undefined) {
      return say('No application on this machine owns the collection. Choose another event.');
    }
    const destination = await identifierOf(shop, session().user);
    const answer = await asShop(shop, `${baseUrl}/api/v1/nft/contracts/${contract}/mint`, {
      method: 'POST',
      body: { destination, metadata: { name: 'Ticket' } },
    });
    if (!answer.ok) return say(`You did not get a ticket. ${ticketReason(answer)}`);
    given.delete(keyOf(event));
    await show();
    say(`Ticket ${answer.body.id} is yours. It opens the stream at once.`);
    await onTicket(event);
  };

  /** The tickets that the viewer has given away since the page was loaded, by viewer and event. */
  const given = new Set();

  const give = async ({ event, contract, id, to }) => {
    if (to === '') return say('Enter the name of a fan.');
    if (to === session().user) return say('This ticket is yours already. Enter the name of another fan.');
    const shop = await shopOf(contract);
    const destination = await identifierOf(shop, to);
    if (destination === undefined) {
      return say(
        `Nobody has signed in as ${to} yet. Ask ${to} to sign in here once, then give the ticket again.`,
      );
    }
    const answer = await asShop(
      shop,
      `${baseUrl}/api/v1/nft/contracts/${contract}/tokens/${id}/destination`,
      { method: 'PUT', body: { destination } },
    );
    if (answer.ok) given.add(keyOf(event));
    await show();
    say(
      answer.ok
        ? `Ticket ${id} belongs to ${to} now.${ending()}`
        : `The ticket was not given away. ${ticketReason(answer)}`,
    );
  };

  const isMined = async ({ contract, id, address }) => {
    const deadline = Date.now() + untilMinedMilliseconds;
    while (!(await heldTokens(contract, address)).includes(BigInt(id))) {
      if (Date.now() > deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
    return true;
  };

  const move = async ({ contract, id, address }) => {
    say(`Moving ticket ${id} to ${short(address)} …`);
    const shop = await shopOf(contract);
    const answer = await call(`${profileUrl}/user/tokens/${contract}/claim`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenFor(shop.client_id)}` },
      body: { address, id },
    });
    await show();
    if (!answer.ok) return say(`The ticket was not moved. ${ticketReason(answer)}`);
    say(`Ticket ${id} is on its way to ${short(address)}. You can go on watching.`);
    const isThere = await isMined({ contract, id, address });
    await show();
    say(
      isThere
        ? `Ticket ${id} is in ${short(address)}. You can sell it now.`
        : 'The chain has not confirmed the ticket yet. It stays yours meanwhile.',
    );
  };

  const sell = async ({ contract, id, from, to }) => {
    if (!/^0x[0-9a-fA-F]{40}$/.test(to)) {
      return say('Enter the buyer’s address: 0x and 40 hexadecimal digits.');
    }
    say('Selling …');
    let text = `Ticket ${id} was sold to ${short(to)}.${ending()}`;
    try {
      await sendToken({ provider: wallets.providerOf(from), contract, from, to, id });
    } catch (error) {
      text = `The ticket was not sold: ${error.message}. Try again.`;
    }
    await show();
    say(text);
  };

  const fieldWith = ({ id, options, ...properties }) => {
    const list = `options-${id}`;
    const field = make('input', { autocomplete: 'off', spellcheck: false, ...properties });
    field.setAttribute('list', list);
    return [field, make('datalist', { id: list }, ...options.map((option) => make('option', option)))];
  };

  const reservedRow = ({ event, contract, token, linked }) => {
    const { id, status, destinationn: destination } = token;
    const dataset = { ticket: id, status };
    if (status === 'pending') {
      return make('li', { dataset }, `Ticket ${id}, on its way to ${short(destination)}`);
    }
    const [field, options] = fieldWith({
      id,
      options: knownUsers().map((value) => ({ value })),
      placeholder: 'Give it to …',
      label: `Fan who gets ticket ${id}`,
    });
    const moves = linked.map(({ address }) =>
      button(
        linked.length === 1 ? 'Move it to my wallet' : `Move it to ${short(address)}`,
        () => move({ contract, id, address }),
        { className: 'quiet' },
      ),
    );
    const hint =
      linked.length === 0
        ? 'You need no wallet to watch. To have the ticket on the chain, link a wallet below.'
        : 'If you move the ticket, its seller sees the address of your wallet.';
    return make(
      'li',
      { dataset },
      make('span', {}, `Ticket ${id}, reserved for you`),
      make(
        'div',
        { className: 'row' },
        field,
        options,
        button('Give it', () => give({ event, contract, id, to: field.value.trim() }), {
          className: 'quiet',
        }),
      ),
      make('div', { className: 'row' }, ...moves),
      make('p', { className: 'hint' }, hint),
    );
  };

  const walletRow = ({ contract, id, from }) => {
    const [field, options] = fieldWith({
      id,
      options: wallets
        .othersMadeHere(session().user)
        .map(({ user, address }) => ({ value: address, label: user })),
      placeholder: '0x… of the buyer',
      label: `Buyer of ticket ${id}`,
    });
    return make(
      'li',
      { dataset: { ticket: String(id), status: 'held' } },
      make('span', {}, `Ticket ${id}, in ${short(from)}`),
      make(
        'div',
        { className: 'row' },
        field,
        options,
        button('Sell', () => sell({ contract, id, from, to: field.value.trim() }), { className: 'quiet' }),
      ),
    );
  };

  /** The wallets that have held a ticket since the page was loaded, by viewer and event. */
  const holders = new Map();

  const inWallets = async ({ event, contract, linked }) => {
    const rows = [];
    for (const { address } of linked) {
      const ids = await heldTokens(contract, address);
      rows.push(...ids.map((id) => ({ contract, id, from: address })));
      if (ids.length > 0) holders.set(keyOf(event), [...(holders.get(keyOf(event)) ?? []), address]);
    }
    return rows;
  };

  const rowsOf = async (event, linked) => {
    const rows = [];
    for (const { contract_address: contract } of event.tickets) {
      const held = await inWallets({ event, contract, linked });
      const reserved = await reservedTokens(contract);
      const unmined = reserved.filter(({ id }) => !held.some((one) => String(one.id) === id));
      rows.push(
        ...unmined.map((token) => reservedRow({ event, contract, token, linked })),
        ...held.map(walletRow),
      );
    }
    return rows;
  };

  let shown = 0;
  const show = async () => {
    shown += 1;
    const turn = shown;
    const { user, event } = session();
    const isForTickets = user !== undefined && event?.tickets !== undefined;
    element('my-tickets').hidden = !isForTickets;
    if (!isForTickets) return;
    const read = async () => rowsOf(event, await wallets.linked());
    const rows = await read().catch((error) => error);
    if (turn !== shown) return;
    if (rows instanceof Error) {
      fill(element('tickets'), unread('Your tickets', rows, show));
      return;
    }
    const more = button(rows.length === 0 ? 'Get a ticket' : 'Get another ticket', () => get(event), {
      id: 'get-ticket',
      className: rows.length === 0 ? '' : 'quiet',
    });
    const none = make('li', { className: 'soft' }, `You have no ticket for ${event.title} yet.`);
    fill(element('tickets'), ...(rows.length === 0 ? [none] : rows), make('li', {}, more));
  };

  /** How the viewer has lost the last ticket for the event: `sold` or `given`. `undefined` if the page cannot tell. */
  const lostBy = async (event) => {
    if (given.has(keyOf(event))) return 'given';
    const linked = await wallets.linked();
    const former = holders.get(keyOf(event)) ?? [];
    if (!linked.some(({ address }) => former.includes(address))) return undefined;
    const held = await Promise.all(
      event.tickets.flatMap(({ contract_address: contract }) =>
        linked.map(({ address }) => heldTokens(contract, address)),
      ),
    );
    return held.flat().length === 0 ? 'sold' : undefined;
  };

  return { show, get, lostBy };
};
