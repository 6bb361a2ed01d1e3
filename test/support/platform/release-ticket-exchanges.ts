import { waitUntil } from 'template-runtime/testing/wait.ts';
import { privateKeyToAccount } from 'viem/accounts';
import { type ApiCall, callApi } from './api-client.ts';
import { jsonFileOf } from './operator-process.ts';
import type { System } from './system.ts';

const wallet = privateKeyToAccount(`0x${'5'.repeat(64)}`);
const emptyWallet = privateKeyToAccount(`0x${'6'.repeat(64)}`);
const origin = 'https://www.example.com';

interface Recorder {
  /** Sends a request, and keeps it with its answer. */
  readonly ask: <Json>(url: string, call: ApiCall) => Promise<Json>;
  readonly operate: Operate;
  readonly key: string;
  readonly clientId: string;
  readonly metadata: object;
  /** Of a collection that is on the chain. */
  readonly contract: string;
}

/** Runs a command of the operator on the system. */
export type Operate = (...words: readonly string[]) => Promise<unknown>;

const fileOf = (system: System, content: unknown): string =>
  jsonFileOf(system, { name: 'kept-release.json', content });

/** Must be called before any request, because functions keep what they know of an application. */
export const allowWallets = async (system: System, operate: Operate): Promise<void> => {
  const rules = [{ id: 'all', enabled: true }];
  const configuration = { ott: { rules }, wallets: { origins: [origin] } };
  const id = system.outputs.applications[0]?.id ?? '';
  await operate('applications', 'configure', id, '--file', fileOf(system, configuration));
};

const done = async (url: string, call: ApiCall): Promise<unknown> => {
  const { status, text, json } = await callApi(url, call);
  if (status >= 300) throw new Error(`${url} answered ${status}: ${text}`);
  return json;
};

const until = (holds: () => Promise<boolean>): Promise<true> => waitUntil(holds, { interval: 500 });

/** Requests of two viewers: one's linked wallet gets a ticket, which is minted to it, and the other's holds none. */
export const recordTicketExchanges = async (
  system: System,
  { ask, operate, key, clientId, metadata, contract }: Recorder,
): Promise<void> => {
  const { base_url, api_url_profile, entitlement_url } = system.outputs;
  const event = {
    event_id: 'derby',
    title: 'Derby',
    status: 'LIVE',
    access: 'paid',
    starts_at: '2026-05-01T18:00:00Z',
    tickets: [{ contract_address: contract }],
    stream: { type: 'hls', url: 'https://streams.example.com/derby/index.m3u8' },
  };
  await operate('events', 'import', fileOf(system, [event]));

  const stream = `${base_url}/api/v3/ott/events/derby/stream`;
  const events = `${base_url}/api/v3/ott/events/`;
  /** A list may be without an event that has just been imported. */
  const isListed = async () => (await callApi(events, { token })).text.includes(event.event_id);
  /** Registers a user and links the wallet. Resolves to the user's token. */
  const linked = async (sub: string, { address, signMessage }: typeof wallet): Promise<string> => {
    const token = await system.token({ sub, client_id: clientId });
    await done(`${api_url_profile}/user/data`, { method: 'PUT', token, body: { user_data: {} } });
    const challenge = await done(`${api_url_profile}/user/wallets/challenges`, {
      token,
      body: { address, origin },
    });
    const { challenge_id, message } = challenge as {
      readonly challenge_id: string;
      readonly message: string;
    };
    await done(`${api_url_profile}/user/wallets/${address}`, {
      method: 'PUT',
      token,
      body: { challenge_id, signature: await signMessage({ message }) },
    });
    return token;
  };
  const token = await linked('kept-fan', wallet);
  // The chain's answer about a wallet is used for a while. So the chain is asked about this one when it holds the ticket.
  const withoutTicket = await linked('kept-fan-without-ticket', emptyWallet);
  await ask(`${api_url_profile}/user/wallets`, { token });
  await until(isListed);
  for (const path of ['', event.event_id]) await ask(`${events}${path}`, { token });
  await ask(stream, {});
  await ask(stream, { token: withoutTicket });

  const tokens = `${base_url}/api/v1/nft/contracts/${contract}`;
  const minted = await ask<{ id: string }>(`${tokens}/mint`, {
    key,
    body: { destination: wallet.address, metadata },
  });
  const isMinted = async () =>
    (await callApi<{ status: string }>(`${tokens}/tokens/${minted.id}`, { key })).json.status === 'confirmed';
  await until(isMinted);
  await ask(stream, { token });
  const isVoid = `${tokens}/tokens/${minted.id}/void`;
  await ask(isVoid, { key, method: 'PUT' });
  await ask(stream, { token });
  await ask(isVoid, { key, method: 'DELETE' });
  await ask(stream, { token });
  const rights = (body: object) => done(`${entitlement_url}/users/kept-fan`, { method: 'PUT', body });
  await rights({ denied: true });
  await ask(stream, { token });
  await rights({ vip: false, purchases: ['derby'] });
  await ask(stream, { token });
};
