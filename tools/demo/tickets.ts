import { randomUUID } from 'node:crypto';
import { type Contract, createClient, type Nft } from '@marquee/client';
import {
  createTestClient,
  createWalletClient,
  getAddress,
  http,
  parseAbi,
  parseEther,
  publicActions,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { ticketedEvent, ticketing } from '../../local/seed/demonstration.ts';
import { importEvents } from '../../operator/ott/events/import-events.ts';
import { ticketHoldingsOf } from '../../operator/ott/tickets/ticket-stores.ts';
import { stageSettings } from '../../operator/platform/stage/stage-settings.ts';
import { eventStoreOf, usersOf, walletsOf } from '../../operator/platform/stage/stores.ts';
import { findTarget, type Target } from '../../operator/platform/stage/target.ts';
import { eventRecord } from '../../shared/ott/event-record.ts';
import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { removeUser } from '../../shared/users/remove-user.ts';
import { unlinkWallets } from '../../shared/wallets/unlink-wallets.ts';
import { type Chapter, eventually, expectSame, later, UnexpectedError } from './step.ts';
import { applicationOf, bodyOf, call, logIn, type World } from './world.ts';

const transferAbi = parseAbi(['function transferFrom(address from, address to, uint256 tokenId)']);

/** The local chain produces a block every second, but the machine may be busy. */
const confirmationSeconds = 90;
/**
 * How long to wait for a change on the chain: the time that the service caches the chain's answers, and some more for a
 * busy machine.
 */
const cacheSeconds = 30;

interface Fan {
  readonly name: string;
  readonly token: string;
  readonly wallet: PrivateKeyAccount;
}

interface Answered {
  readonly refusal: string | undefined;
  readonly url: string;
  readonly cookies: string;
}

const refusalSchema = z.object({ message: z.string() });
const streamSchema = z.object({ url: z.url(), expires_at: z.iso.datetime(), continuation: z.string() });
const challengeSchema = z.object({ challenge_id: z.string(), message: z.string() });

export const ticketChapter = (world: World): Chapter => {
  const { signal } = world;
  const event = `${world.run}-night`;
  const target = later<Target>();
  const contract = later<Contract>();
  const ticket = later<Nft>();
  const seller = later<Fan>();
  const buyer = later<Fan>();
  const playing = later<Answered>();
  const [tab, television, phone] = [randomUUID(), randomUUID(), randomUUID()];

  const marquee = () =>
    createClient({ baseUrl: world.outputs().base_url, apiKey: applicationOf(world, ticketing).api_key });
  const profile = (path: string, { token }: Fan, more: { method?: 'PUT'; body?: unknown } = {}) =>
    call(`${world.outputs().api_url_profile}${path}`, { ...more, token, signal });

  const register = async (name: string): Promise<Fan> => {
    const user = `${world.run}-${name}`;
    const { client_id: clientId } = applicationOf(world, ticketing);
    const wallet = privateKeyToAccount(generatePrivateKey());
    const fan = { name, token: await logIn(world, { user, clientId }), wallet };
    world.atEnd(`Remove the ${name}`, () => removeFan(target.get(), user));
    bodyOf(await profile('/user/data', fan, { method: 'PUT', body: {} }), {
      status: 200,
      schema: z.object({}),
    });
    return fan;
  };

  const link = async (fan: Fan): Promise<string> => {
    const { address } = fan.wallet;
    const { origin } = new URL(world.outputs().base_url);
    const challenge = await profile('/user/wallets/challenges', fan, { body: { address, origin } });
    const { challenge_id, message } = bodyOf(challenge, { status: 201, schema: challengeSchema });
    const signature = await fan.wallet.signMessage({ message });
    const body = { challenge_id, signature };
    const linked = await profile(`/user/wallets/${address}`, fan, { method: 'PUT', body });
    expectSame({
      expected: address,
      seen: bodyOf(linked, { status: 200, schema: z.object({ address: z.string() }) }).address,
    });
    return address;
  };

  const continuations = new Map<string, string>();
  const ask = async ({ name, token }: Fan, session: string, takeOver?: string): Promise<Answered> => {
    const screen = `${name} ${session}`;
    const continuation = continuations.get(screen);
    const query = new URLSearchParams({
      session,
      ...(continuation !== undefined && { continuation }),
      ...(takeOver !== undefined && { take_over: takeOver }),
    });
    const url = `${world.outputs().base_url}/api/v3/ott/events/${event}/stream?${query}`;
    const answer = await call(url, { token, signal });
    const cookies = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    if (answer.status === 200) {
      const stream = bodyOf(answer, { status: 200, schema: streamSchema });
      continuations.set(screen, stream.continuation);
      return { refusal: undefined, url: stream.url, cookies };
    }
    return { refusal: bodyOf(answer, { status: 403, schema: refusalSchema }).message, url: '', cookies };
  };
  const plays = async (fan: Fan, session: string, takeOver?: string): Promise<Answered> => {
    const answered = await eventually({
      look: () => ask(fan, session, takeOver),
      isExpected: ({ refusal }) => refusal === undefined,
      expected: 'the stream',
      withinSeconds: cacheSeconds,
      signal,
    });
    expectSame({ expected: 200, seen: await served(answered) });
    return answered;
  };
  const served = async ({ url, cookies }: Answered): Promise<number> =>
    (await call(url, { headers: { cookie: cookies }, signal })).status;
  const refused = async (fan: Fan, session: string, expected: string): Promise<string> => {
    await eventually({
      look: async () => (await ask(fan, session)).refusal,
      isExpected: (refusal) => refusal === expected,
      expected: `403 ${expected}`,
      withinSeconds: cacheSeconds,
      signal,
    });
    return `403 ${expected}`;
  };

  return {
    title: 'A ticket gives its holder access to the stream',
    steps: [
      {
        title: 'A collection of tickets',
        run: async () => {
          target.set(await findTarget({ stage: 'local', outputsFile: world.outputsFile() }));
          const created = await marquee().createContract(
            { name: 'Arena night', symbol: 'ARENA', chain: 'MATIC' },
            { signal },
          );
          contract.set(created);
          await marquee().waitUntilConfirmed(created, { timeout: confirmationSeconds * 1_000, signal });
          return created.address;
        },
      },
      {
        title: 'An event for tickets',
        run: async () => {
          const { distribution_url } = world.outputs();
          const shown = ticketedEvent(distribution_url, getAddress(contract.get().address));
          const url = `${distribution_url}/${event}/index.m3u8`;
          const added = { ...shown, id: event, stream: { type: 'hls', url } } as const;
          const catalogue = dynamoDbCatalogue(eventStoreOf(target.get()));
          world.atEnd('Remove the event', async () => {
            const before = await catalogue.findStored(event);
            if (before !== undefined) await catalogue.write([{ before }]);
          });
          const [row] = await importEvents(
            { catalogue, holdings: ticketHoldingsOf(target.get()), showProgress: () => undefined },
            {
              entries: [{ line: 1, id: event, fields: eventRecord(added), mistakes: [] }],
              signing: stageSettings('local').ott.playback.signing,
              overwriteStatus: false,
              deleteMissing: false,
              force: false,
              dryRun: false,
            },
          );
          expectSame({ expected: ['created', []], seen: [row?.outcome, row?.reasons] });
          return event;
        },
      },
      {
        title: 'A fan registers',
        run: async () => {
          seller.set(await register('seller'));
          return `${world.run}-seller`;
        },
      },
      { title: 'The fan links a wallet', run: () => link(seller.get()) },
      {
        title: 'Without a ticket',
        run: () => refused(seller.get(), tab, 'PURCHASE_REQUIRED'),
      },
      {
        title: 'A ticket for the fan',
        run: async () => {
          const { address } = contract.get();
          const minted = await marquee().mintToken(
            address,
            { destination: seller.get().wallet.address, metadata: { name: 'Row 1, seat 7' } },
            { signal },
          );
          ticket.set(minted);
          await marquee().waitUntilConfirmed(
            { contract: address, id: minted.id },
            { timeout: confirmationSeconds * 1_000, signal },
          );
          return `id ${minted.id}`;
        },
      },
      {
        title: 'The fan plays',
        run: async () => {
          playing.set(await plays(seller.get(), tab));
          return '200, and the distribution serves the stream';
        },
      },
      {
        title: 'The fan sells a ticket',
        run: async () => {
          buyer.set(await register('buyer'));
          await link(buyer.get());
          const { wallet: account } = seller.get();
          const transport = http(world.outputs().chain_rpc_url);
          const chain = createTestClient({ mode: 'anvil', transport }).extend(publicActions);
          await chain.setBalance({ address: account.address, value: parseEther('1') });
          const hash = await createWalletClient({ account, transport }).writeContract({
            address: getAddress(contract.get().address),
            abi: transferAbi,
            functionName: 'transferFrom',
            args: [account.address, buyer.get().wallet.address, BigInt(ticket.get().id)],
            chain: null,
          });
          const { status, blockNumber } = await chain.waitForTransactionReceipt({ hash });
          expectSame({ expected: 'success', seen: status });
          return `block ${blockNumber}, to ${buyer.get().wallet.address}`;
        },
      },
      { title: 'The seller is refused', run: () => refused(seller.get(), tab, 'PURCHASE_REQUIRED') },
      {
        title: 'Seller’s stream ends',
        run: async () => {
          const { ticketSeconds } = stageSettings('local').ott;
          await eventually({
            look: () => served(playing.get()),
            isExpected: (status) => status === 403,
            expected: 403,
            withinSeconds: ticketSeconds,
            signal,
          });
          return `403 from the distribution, within ${ticketSeconds} s`;
        },
      },
      {
        title: 'The buyer plays',
        run: async () => {
          await plays(buyer.get(), tab);
          await plays(buyer.get(), television);
          return '200, on two screens';
        },
      },
      {
        title: 'A third screen',
        run: () => refused(buyer.get(), phone, 'TOO_MANY_STREAMS'),
      },
      {
        title: 'Third screen takes over',
        run: async () => {
          await plays(buyer.get(), phone, television);
          const { refusal } = await ask(buyer.get(), television);
          if (refusal !== 'SESSION_ENDED') {
            throw new UnexpectedError({ expected: '403 SESSION_ENDED', seen: refusal });
          }
          return '200; the replaced screen: 403 SESSION_ENDED';
        },
      },
    ],
  };
};

const removeFan = async (target: Target, userSub: string): Promise<void> => {
  const { ticketSeconds } = stageSettings('local').ott;
  const unlinking = { wallets: walletsOf(target), ticketSeconds, clock: systemClock };
  await removeUser(
    {
      users: usersOf(target),
      unlink: (registration) => unlinkWallets(unlinking, registration),
      clock: systemClock,
    },
    { userSub },
  );
};
