import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { expectedOutcome, type ReservedCase } from '../../support/ott/tickets/reserved-oracle.ts';
import { startEndpoint, type TestEndpoint } from '../../support/ott/tickets/rpc-endpoint.ts';
import {
  type Fans,
  fansOf,
  newWallet,
  outcomeOf,
  walletOrigin,
} from '../../support/ott/tickets/tickets-over-http.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { jsonFileOf, runOperator } from '../../support/platform/operator-process.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const BLOCKED = '198.51.100.7';
const ALLOWED = '198.51.100.9';

let system: System;
/** Is asked who holds a ticket. */
let endpoint: TestEndpoint;
/** Gets the transactions of the signers. */
let mints: TestEndpoint;
let fans: Fans;

const operator = (...words: readonly string[]) => runOperator(system, ...words);

const fileOf = (name: string, content: unknown): string => jsonFileOf(system, { name, content });

const put = async (url: string, body: unknown): Promise<void> => {
  expect((await callApi(url, { method: 'PUT', body })).status).toBe(200);
};

const nft = async <Json = { id: string; address: string; is_confirmed: boolean }>(
  path: string,
  { status, ...call }: { readonly status: number; readonly method?: string; readonly body?: unknown },
): Promise<Json> => {
  const key = system.outputs.applications[0]?.api_key ?? '';
  const answer = await callApi<Json>(`${system.outputs.base_url}/api/v1/nft/contracts${path}`, {
    key,
    ...call,
  });
  expect([path, answer.status, answer.status === status ? '' : answer.text]).toEqual([path, status, '']);
  return answer.json;
};

const confirmed = (path: string) =>
  waitFor(async () => expect(await nft(path, { status: 200 })).toMatchObject({ is_confirmed: true }), {
    interval: 500,
  });

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty', '--trust-forwarded-for'] });
  fans = fansOf(system);
  endpoint = await startEndpoint(system.outputs.chain_rpc_url);
  mints = await startEndpoint(system.outputs.chain_rpc_url);
  const secrets = new SecretsManagerClient(system.aws);
  for (const [output, { url }] of [
    ['TicketChainSecretArn', endpoint],
    ['ChainSecretArn', mints],
  ] as const) {
    const SecretId = await system.stackOutput(output);
    await secrets.send(
      new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify({ urls: [url] }) }),
    );
  }
  const rules = [{ id: 'all', enabled: true }];
  const configuration = fileOf('demo.json', { ott: { rules }, wallets: { origins: [walletOrigin] } });
  await operator('applications', 'configure', 'demo', '--file', configuration);
  await put(`${system.outputs.geolocation_url}/addresses/${BLOCKED}`, { country: 'CH' });
  await put(`${system.outputs.geolocation_url}/addresses/${ALLOWED}`, { country: 'SE' });
});
afterAll(async () => {
  await endpoint?.stop();
  await mints?.stop();
  await system?.dispose();
});

type Ticket = ReservedCase['ticket'];

const aCase = (fields: Partial<ReservedCase>): ReservedCase => ({
  viewer: 'logged in',
  access: 'paid',
  country: 'allowed',
  status: 'LIVE',
  entitlement: 'no_purchase',
  ticket: 'reserved',
  wallet: 'none',
  chain: 'has no such token',
  ...fields,
});

const needsWallet = (ticket: Ticket): boolean => ticket.startsWith('claimed');
const tickets: readonly Ticket[] = [
  'none',
  'reserved',
  'reserved and void',
  'reserved for somebody else',
  'reserved in another collection',
  'revoked',
  'claimed',
  'claimed and void',
  'claimed, and final',
];

/** Each case has a viewer of its own, so that no answer that is remembered for another one counts. */
const cases: readonly ReservedCase[] = [
  ...tickets.flatMap((ticket) =>
    (needsWallet(ticket) ? (['linked'] as const) : (['none', 'linked'] as const)).flatMap((wallet) => [
      aCase({
        ticket,
        wallet,
        chain: ticket === 'claimed, and final' ? 'says the wallet' : 'has no such token',
      }),
      aCase({ ticket, wallet, chain: 'out' }),
    ]),
  ),
  ...(['success', 'denied', 'out'] as const).flatMap((entitlement) => [
    aCase({ entitlement }),
    aCase({ entitlement, ticket: 'claimed', wallet: 'linked' }),
  ]),
  aCase({ ticket: 'reserved before the user registered again' }),
  aCase({ viewer: 'not logged in' }),
  aCase({ viewer: 'VIP' }),
  aCase({ country: 'blocked' }),
  aCase({ status: 'UPCOMING' }),
  aCase({ access: 'free' }),
];

describe('the table of who plays with a reserved ticket', () => {
  /** Gives each viewer the ticket of the case. */
  const prepare = async () => {
    const collection = { symbol: 'TCK', chain: 'MATIC', revocable: true };
    const { address: contract } = await nft('/', { status: 201, body: { name: 'Night', ...collection } });
    const { address: other } = await nft('/', { status: 201, body: { name: 'Other', ...collection } });
    await confirmed(`/${contract}`);
    await confirmed(`/${other}`);
    const event = (fields: Pick<ReservedCase, 'status' | 'access'>) => {
      const event_id = `${fields.status}-${fields.access}`.toLowerCase();
      return {
        event_id,
        title: 'Night',
        ...fields,
        starts_at: '2026-05-01T18:00:00Z',
        geoblocking: { enabled: true, mode: 'block', countries: ['CH'] },
        ...(fields.access === 'paid' && { tickets: [{ contract_address: contract }] }),
        stream: { type: 'hls', url: `https://streams.example.com/${event_id}/index.m3u8` },
      };
    };
    const events = fileOf('events.json', [
      event({ status: 'LIVE', access: 'paid' }),
      event({ status: 'UPCOMING', access: 'paid' }),
      event({ status: 'LIVE', access: 'free' }),
    ]);
    await operator('events', 'import', events);

    const identifierOf = async (token: string): Promise<string> => {
      const path = '/user/reporter/application-user-sub';
      const { json } = await fans.profile<{ application_user_sub: string }>(path, token);
      return json.application_user_sub;
    };
    const somebodyElse = await identifierOf(await fans.register('somebody-else'));
    const claims: (() => Promise<void>)[] = [];
    const viewers = await inParallel([...cases.entries()], {
      atOnce: 4,
      run: async ([index, given]) => {
        const sub = `viewer-${index}`;
        let token = await fans.register(sub);
        await put(`${system.outputs.entitlement_url}/users/${sub}`, {
          vip: given.viewer === 'VIP',
          purchases: given.entitlement === 'success' ? ['live-paid'] : [],
          denied: given.entitlement === 'denied',
        });
        const wallet = newWallet();
        if (given.wallet === 'linked') expect(outcomeOf(await fans.link(token, wallet))).toBe('200');
        if (given.ticket === 'none') return { given, token };
        const into = given.ticket === 'reserved in another collection' ? other : contract;
        const body = { destination: await identifierOf(token), metadata: { name: 'Seat' } };
        const { id } = await nft(`/${into}/mint`, { status: 201, body });
        const path = `/${into}/tokens/${id}`;
        const claim = async (): Promise<void> => {
          const claimed = await fans.profile(`/user/tokens/${contract}/claim`, token, {
            body: { address: wallet.address, id },
          });
          expect(outcomeOf(claimed)).toBe('200');
        };
        switch (given.ticket) {
          case 'reserved for somebody else':
            await nft(`${path}/destination`, {
              status: 200,
              method: 'PUT',
              body: { destination: somebodyElse },
            });
            break;
          case 'revoked':
            await nft(`${path}/revoke`, { status: 200, method: 'POST' });
            break;
          case 'reserved before the user registered again':
            await operator('users', 'remove', sub, '--yes');
            token = await fans.register(sub);
            break;
          case 'claimed, and final':
            await claim();
            await confirmed(path);
            break;
          case 'claimed':
          case 'claimed and void':
            claims.push(claim);
        }
        if (given.ticket.endsWith('and void')) await nft(`${path}/void`, { status: 200, method: 'PUT' });
        return { given, token };
      },
    });
    // The claims are accepted, and stay pending.
    mints.behave('sends nothing');
    for (const claim of claims) await claim();
    return viewers;
  };

  it('holds over HTTP in each case', { timeout: 400_000 }, async () => {
    const viewers = await prepare();
    const different: object[] = [];
    for (const [mode, isEntitlementOut] of [
      ['well', false],
      ['gone', false],
      ['well', true],
    ] as const) {
      endpoint.behave(mode);
      await put(`${system.outputs.entitlement_url}/behaviour`, { mode: isEntitlementOut ? 'down' : 'ok' });
      const due = viewers.filter(
        ({ given }) =>
          (given.chain === 'out') === (mode === 'gone') && (given.entitlement === 'out') === isEntitlementOut,
      );
      for (const { given, token } of due) {
        const expected = expectedOutcome(given);
        const ask = async () =>
          outcomeOf(
            await fans.stream(
              `${given.status}-${given.access}`.toLowerCase(),
              given.viewer === 'not logged in' ? undefined : token,
              given.country === 'blocked' ? BLOCKED : ALLOWED,
            ),
          );
        // The index may not know of a token yet, and a busy machine can cause a time-out.
        const came = await waitFor(async () => expect(await ask()).toBe(expected), { interval: 300 }).then(
          () => expected,
          ask,
        );
        if (came !== expected) different.push({ ...given, expected, came });
      }
    }
    expect(different).toEqual([]);
    expect(new Set(cases.map(expectedOutcome)).size).toBe(7);
  });
});
