import { waitUntil } from 'template-runtime/testing/wait.ts';
import { type ApiCall, callApi } from './api-client.ts';
import { runOperator } from './operator-process.ts';
import { allowWallets, type Operate, recordTicketExchanges } from './release-ticket-exchanges.ts';
import type { System } from './system.ts';

/** A request to a release, and what it answered. What differs in each run is replaced by names in braces. */
export interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const receiver = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const other = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const nobody = `0x${'ab'.repeat(20)}`;
const metadata = { name: 'Seat 1', image: 'https://images.example.com/1.png', attributes: [] };
const aMint = { destination: receiver, metadata };
const aCollection = { name: 'Tickets', symbol: 'TCK', description: 'd', chain: 'MATIC' };

/** The length of a body depends on the port. The others are of the connection or of the single request. */
const isOfTheRun = (header: string): boolean =>
  /^(date|content-length|connection|keep-alive|transfer-encoding|x-amz.*)$/.test(header);

/** Replaces what differs in each run. Equal hashes and addresses get equal names. */
const namer = () => {
  const names = new Map<string, string>([receiver, other, nobody].map((each) => [each, each]));
  const nameOf = (value: string, kind: string): string => {
    const known = names.get(value.toLowerCase()) ?? `{${kind} ${names.size}}`;
    names.set(value.toLowerCase(), known);
    return known;
  };
  return (text: string): string =>
    text
      .replace(/https?:\/\/127\.0\.0\.1:\d+/g, '{origin}')
      .replace(/0x[0-9a-f]{64}/gi, (hash) => nameOf(hash, 'hash'))
      .replace(/0x[0-9a-f]{40}/gi, (address) => nameOf(address, 'address'))
      // An application's identifier for a user.
      .replace(/\b[0-9a-f]{32}\b/g, (sub) => nameOf(sub, 'sub'))
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => nameOf(id, 'id'))
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '{time}')
      .replace(/"block_number":\d+/g, '"block_number":"{block}"')
      // The tag of a user's data, which is random.
      .replace(/^"[\w-]{22}"$/, (tag) => nameOf(tag, 'tag'))
      .replace(/(CloudFront-[\w-]+)=[^;]+/g, '$1={signed}')
      .replace(/Max-Age=\d+/g, 'Max-Age={age}')
      .replace(/cursor=[\w.%~-]+/g, 'cursor={cursor}');
};

/**
 * Messages to developers that this release has changed on purpose, as it writes them and as the last release did. Only
 * responses to requests that are refused have them.
 */
const changedMessages: readonly (readonly [pattern: RegExp, before: string])[] = [];

/** With the messages of the last release. */
export const asBefore = ({ text, ...exchange }: Exchange): Exchange => ({
  ...exchange,
  text:
    exchange.status === 400
      ? changedMessages.reduce((changed, [pattern, before]) => changed.replace(pattern, before), text)
      : text,
});

/** Sends requests of customers and viewers, and records what an `--empty` system answers. */
export const recordExchanges = async (
  system: System,
  operate: Operate = (...words) => runOperator(system, ...words),
): Promise<readonly Exchange[]> => {
  const { base_url, api_url_profile, api_url_b2b, applications } = system.outputs;
  await allowWallets(system, operate);
  const [application] = applications;
  if (application === undefined) throw new Error('The system has no application');
  const key = application.api_key;
  const token = await system.token({ sub: 'kept-user', client_id: application.client_id });
  const named = namer();
  const exchanges: Exchange[] = [];

  const ask = async <Json>(url: string, call: ApiCall): Promise<Json> => {
    const { status, headers, text, json } = await callApi<Json>(url, call);
    const { key: apiKey, token: login, body, method = body === undefined ? 'GET' : 'POST', ...others } = call;
    const sent = { key: apiKey && (apiKey === key ? 'own' : apiKey), login: login && 'own', ...others, body };
    exchanges.push({
      request: named(`${method} ${url} ${JSON.stringify(sent)}`),
      status,
      headers: Object.fromEntries(
        [...new Set(headers.keys())]
          .filter((name) => !isOfTheRun(name))
          .map((name) => [name, named(headers.get(name) ?? '')]),
      ),
      text: named(text),
    });
    return json;
  };

  const contracts = `${base_url}/api/v1/nft/contracts`;
  const nft = <Json = unknown>(path: string, call: ApiCall = {}) =>
    ask<Json>(`${contracts}${path}`, { key, ...call });
  const confirmed = async (path: string): Promise<void> => {
    const isConfirmed = async () =>
      (await callApi<{ status: string }>(`${contracts}${path}`, { key })).json.status === 'confirmed';
    await waitUntil(isConfirmed, { interval: 250 });
  };

  const { address } = await nft<{ address: string }>('/', { body: aCollection });
  for (const body of [{}, { ...aCollection, chain: 'X' }, { ...aCollection, name: '' }, '{']) {
    await nft('/', { body });
  }
  await confirmed(`/${address}`);
  await nft('/');
  await nft(`/${address}`);
  const mint = `/${address}/mint`;
  const batch = `${mint}/batch`;
  const headers = { 'idempotency-key': 'order-1' };
  await nft(mint, { body: aMint });
  await nft(mint, { body: aMint, headers });
  await nft(mint, { body: aMint, headers });
  await nft(mint, { body: { ...aMint, destination: other }, headers });
  await nft(batch, { body: { tokens: [aMint, { ...aMint, destination: other }] } });
  const refused = [
    {},
    { metadata },
    { destination: receiver },
    { ...aMint, destination: 'nobody' },
    { ...aMint, destination: 7 },
    { ...aMint, destination: null },
    { ...aMint, destination: `0x${'0'.repeat(40)}` },
    { ...aMint, destination: `${receiver}00` },
    { ...aMint, metadata: { name: '' } },
    { ...aMint, more: true },
  ];
  for (const body of refused) {
    await nft(mint, { body });
    await nft(batch, { body: { tokens: [aMint, body] } });
  }
  for (const body of ['', '{', '[]', { tokens: [] }]) {
    await nft(mint, { body });
    await nft(batch, { body });
  }
  await nft(`/${nobody}/mint`, { body: aMint });
  await nft('/nothing/mint', { body: aMint });
  for (const id of ['1', '2', '3', '4']) await confirmed(`/${address}/tokens/${id}`);
  const reads = ['/tokens/', '/tokens/?limit=2', '/tokens/?limit=0', '/tokens/?cursor=x', '/metadata'];
  for (const path of [...reads, '/metadata/1', '/metadata/9']) await nft(`/${address}${path}`);
  for (const id of ['1', '4', '9', 'x']) {
    await nft(`/${address}/tokens/${id}`);
    await nft(`/${address}/tokens/${id}/owner`);
  }
  await nft(`/${nobody}`);
  await nft(`/${nobody}/tokens/`);
  await nft(`/${nobody}/tokens/1`);
  const change = { ...metadata, name: 'Seat 2' };
  await nft(`/${address}/tokens/1/metadata`, { method: 'PUT', body: change });
  await nft(`/${address}/tokens/9/metadata`, { method: 'PUT', body: change });
  await nft(`/${address}/tokens/1/revoke`, { method: 'POST' });
  await nft(`/${address}/tokens/2/void`, { method: 'PUT' });
  await nft(`/${address}/tokens/2/void`, { method: 'DELETE' });
  await nft(`/${address}/tokens/9/void`, { method: 'PUT' });
  const royalty = { receiver, basis_points: 250 };
  await nft(`/${address}/royalty`, { method: 'PUT', body: royalty });
  const limited = await nft<{ address: string }>('/', {
    body: { ...aCollection, max_supply: 1, transferable: false, revocable: true },
  });
  await nft(`/${limited.address}/mint/batch`, { body: { tokens: [aMint, aMint] } });
  await nft(`/${limited.address}/mint`, { body: aMint });
  await nft(`/${limited.address}/mint`, { body: aMint });
  await confirmed(`/${limited.address}/tokens/1`);
  await nft(`/${limited.address}/tokens/1/revoke`, { method: 'POST' });
  await nft(`/${address}`, { key: 'wrong' });
  await ask(`${contracts}/${address}`, {});
  await ask(`${contracts}${mint}`, { body: aMint });

  const profile = (path: string, call: ApiCall = {}) => ask(`${api_url_profile}${path}`, { token, ...call });
  await profile('/user/data');
  await profile('/user/data', { method: 'PUT', body: { user_data: { email: 'a@example.com' } } });
  await profile('/user/data');
  await profile('/user/wallets');
  await profile('/user/wallets/challenges', { body: {} });
  await ask(`${api_url_profile}/user/wallets`, {});
  await ask(`${api_url_b2b}/user-data/read`, { key, body: {} });
  await ask(`${api_url_b2b}/user-data/read`, { key, body: { application_user_sub: 'nobody' } });

  const { application_user_sub: user } = await callApi<{ readonly application_user_sub: string }>(
    `${api_url_profile}/user/reporter/application-user-sub`,
    { token },
  ).then(({ json }) => json);
  const aReservation = { destination: user, metadata };
  const { id } = await nft<{ id: string }>(mint, { body: aReservation });
  await nft(batch, { body: { tokens: [aReservation, aMint] } });
  await nft(mint, { body: { ...aReservation, destination: 'f'.repeat(32) } });
  const reserved = `/${address}/tokens/${id}`;
  await nft(reserved);
  await nft(`${reserved}/owner`);
  await profile('/user/tokens');
  for (const destination of [user, receiver, receiver]) {
    await nft(`${reserved}/destination`, { method: 'PUT', body: { destination } });
  }
  await confirmed(reserved);
  await nft(reserved);
  await nft(`${reserved}/history`);
  await profile(`/user/tokens/${address}/${id}/history`);
  await profile('/user/erasure');

  const ott = `${base_url}/api/v3/ott/events`;
  for (const path of ['/', '/missing', '/missing/stream']) {
    await ask(`${ott}${path}`, {});
    await ask(`${ott}${path}`, { token });
  }
  const clientId = application.client_id;
  await recordTicketExchanges(system, { ask, operate, key, clientId, metadata, contract: address });
  return exchanges;
};

/** One exchange a line. */
export const exchangesText = (exchanges: readonly Exchange[]): string =>
  `[\n${exchanges.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`;
