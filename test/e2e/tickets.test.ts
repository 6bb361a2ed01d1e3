import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiCall, callApi } from '../support/api-client.ts';
import { type System, startSystem } from '../support/system.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const origin = 'https://www.example.com';

let system: System;
let apiKey: string;
let contract: string;

const operator = (...words: readonly string[]) =>
  promisify(execFile)(
    process.execPath,
    ['operator/main.ts', '--outputs', join(system.stateDirectory, 'outputs.json'), '--json', ...words],
    { cwd: root },
  );

const fileOf = (name: string, content: unknown): string => {
  const file = join(system.stateDirectory, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};

const profile = <Json = Record<string, unknown>>(path: string, token: string, call: ApiCall = {}) =>
  callApi<Json>(`${system.outputs.api_url_profile}${path}`, { ...call, token });

const streamOf = (event: string, token?: string) =>
  callApi<Record<string, unknown>>(`${system.outputs.base_url}/api/v3/ott/events/${event}/stream`, {
    ...(token !== undefined && { token }),
  });

const register = async (sub: string): Promise<string> => {
  const token = await system.token({ sub, client_id: 'demo-web' });
  await profile('/user/data', token, { method: 'PUT', body: {} });
  return token;
};

const link = async (token: string, wallet: PrivateKeyAccount) => {
  const { address } = wallet;
  const challenge = await profile<{ challenge_id: string; message: string }>(
    '/user/wallets/challenges',
    token,
    {
      method: 'POST',
      body: { address, origin },
    },
  );
  expect(challenge.status).toBe(201);
  const { challenge_id, message } = challenge.json;
  const signature = await wallet.signMessage({ message });
  return profile(`/user/wallets/${address}`, token, { method: 'PUT', body: { challenge_id, signature } });
};

const newWallet = () => privateKeyToAccount(generatePrivateKey());

const nft = async <Json = Record<string, unknown>>(path: string, body: unknown) => {
  const answer = await callApi<Json>(`${system.outputs.base_url}/api/v1/nft/contracts/${path}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
    body,
  });
  expect(answer.status).toBeLessThan(300);
  return answer.json;
};

const mintTo = (destination: string) =>
  nft(`${contract}/mint`, { destination, metadata: { name: 'Ticket' } });

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty'] });
  apiKey = system.outputs.applications[0]?.api_key ?? '';
  await operator(
    'applications',
    'configure',
    'demo',
    '--file',
    fileOf('demo.json', { ott: { rules: [{ id: 'all', enabled: true }] }, wallets: { origins: [origin] } }),
  );
  ({ address: contract } = await nft<{ address: string }>('', {
    name: 'Tickets',
    symbol: 'TIX',
    chain: 'MATIC',
    description: null,
    image: null,
    media: [],
  }));
  await vi.waitFor(
    async () => {
      const { json } = await callApi<{ is_confirmed: boolean }>(
        `${system.outputs.base_url}/api/v1/nft/contracts/${contract}`,
        { headers: { 'x-api-key': apiKey } },
      );
      expect(json.is_confirmed).toBe(true);
    },
    { timeout: 30_000, interval: 250 },
  );
  await operator(
    'events',
    'import',
    fileOf('events.json', [
      {
        event_id: 'final',
        title: 'Final',
        status: 'LIVE',
        access: 'paid',
        starts_at: '2026-05-01T18:00:00Z',
        tickets: [{ contract_address: contract }],
        stream: { type: 'hls', url: 'https://streams.example.com/final/index.m3u8' },
      },
    ]),
  );
});
afterAll(() => system.dispose());

describe('a ticket', () => {
  it('opens the stream to whoever holds it in a linked wallet', async () => {
    const token = await register('fan');
    const wallet = newWallet();

    expect((await streamOf('final', token)).json).toEqual({ status: 403, message: 'PURCHASE_REQUIRED' });
    expect(await link(token, wallet)).toMatchObject({ status: 200, json: { address: wallet.address } });
    await mintTo(wallet.address);

    await vi.waitFor(async () => expect(await streamOf('final', token)).toMatchObject({ status: 200 }), {
      timeout: 40_000,
      interval: 500,
    });
    expect((await streamOf('final')).json).toEqual({ status: 403, message: 'LOGIN_REQUIRED' });
  });
});
