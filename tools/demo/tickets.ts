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
import * as z from 'zod';
import { ticketedEvent, ticketing } from '../../local/seed/demonstration.ts';
import { importEventFile } from '../../operator/ott/events/import-event-file.ts';
import { ticketHoldingsOf } from '../../operator/ott/tickets/ticket-stores.ts';
import { stageSettings } from '../../operator/platform/target/stage-settings.ts';
import { eventStoreOf } from '../../operator/platform/target/stores.ts';
import { findTarget, type Target } from '../../operator/platform/target/target.ts';
import { eventRecord } from '../../shared/ott/events/event-record.ts';
import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { type Answered, type Fan, fansOf } from './fans.ts';
import { type Chapter, expectSame, later, UnexpectedError } from './step.ts';
import { applicationOf, bodyOf, call, type World } from './world.ts';

const transferAbi = parseAbi(['function transferFrom(address from, address to, uint256 tokenId)']);

/** The local chain produces a block every second, but the machine may be busy. */
const confirmationSeconds = 90;

export const ticketChapter = (world: World): Chapter => {
  const { signal } = world;
  const event = `${world.run}-night`;
  const target = later<Target>();
  const contract = later<Contract>();
  const ticket = later<Nft>();
  const fan = later<Fan>();
  const friend = later<Fan>();
  const buyer = later<Fan>();
  const playing = later<Answered>();
  const [tab, television, phone] = [randomUUID(), randomUUID(), randomUUID()];
  const fans = fansOf(world, { event, target: target.get });
  const { register, identifierOf, link, claim, historyOf, ask, plays, refused, ends } = fans;

  const shop = () => applicationOf(world, ticketing);
  const marquee = () => createClient({ baseUrl: world.outputs().base_url, apiKey: shop().api_key });
  const setChain = async (isOutOfReach: boolean): Promise<void> => {
    const url = `${world.outputs().aws_endpoint_url}/_faults`;
    const answer = await call(url, { method: 'PUT', body: { chain: { isOutOfReach } }, signal });
    bodyOf(answer, {
      status: 200,
      schema: z.object({ chain: z.object({ isOutOfReach: z.literal(isOutOfReach) }) }),
    });
  };
  const isConfirmed = async (): Promise<boolean> =>
    (await marquee().getToken(contract.get().address, ticket.get().id, { signal })).is_confirmed;

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
          const [row] = await importEventFile(
            {
              catalogue,
              clock: systemClock,
              holdings: ticketHoldingsOf(target.get()),
              showProgress: () => undefined,
            },
            {
              entries: [{ line: 1, id: event, fields: eventRecord(added, systemClock()), mistakes: [] }],
              signing: stageSettings('local').ott.playback.signing,
              overwriteStatus: false,
              deleteMissing: false,
              force: [],
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
          fan.set(await register('fan'));
          return `${world.run}-fan, who has no wallet`;
        },
      },
      {
        title: 'Without a ticket',
        run: () => refused(fan.get(), tab, 'PURCHASE_REQUIRED'),
      },
      {
        title: 'A ticket is reserved',
        run: async () => {
          const destination = await identifierOf(fan.get());
          const reserved = await marquee().mintToken(
            contract.get().address,
            { destination, metadata: { name: 'Row 1, seat 7' } },
            { signal },
          );
          expectSame({
            expected: ['reserved', destination, ''],
            seen: [reserved.status, reserved.destinationn, reserved.transaction_hash],
          });
          ticket.set(reserved);
          return `id ${reserved.id}, by one call, without a transaction`;
        },
      },
      {
        title: 'Plays without a wallet',
        run: async () => {
          playing.set(await plays(fan.get(), tab));
          return '200, and the distribution serves the stream';
        },
      },
      {
        title: 'No RPC endpoint answers',
        run: async () => {
          world.atEnd('Let the chain answer', () => setChain(false));
          await setChain(true);
          const isAnswered = await fetch(world.outputs().chain_rpc_url, { method: 'POST' }).then(
            () => true,
            () => false,
          );
          expectSame({ expected: false, seen: isAnswered });
          playing.set(await plays(fan.get(), tab));
          await setChain(false);
          return 'the fan plays on';
        },
      },
      {
        title: 'Given to another fan',
        run: async () => {
          friend.set(await register('friend'));
          const destination = await identifierOf(friend.get());
          const path = `/api/v1/nft/contracts/${contract.get().address}/tokens/${ticket.get().id}/destination`;
          const answer = await call(`${world.outputs().base_url}${path}`, {
            method: 'PUT',
            key: shop().api_key,
            body: { destination },
            signal,
          });
          const given = bodyOf(answer, { status: 200, schema: z.object({ destinationn: z.string() }) });
          expectSame({ expected: destination, seen: given.destinationn });
          return `${world.run}-friend, who has no wallet either`;
        },
      },
      { title: 'First fan is refused', run: () => refused(fan.get(), tab, 'PURCHASE_REQUIRED') },
      { title: 'First fan’s stream ends', run: () => ends(playing.get()) },
      {
        title: 'The other fan plays',
        run: async () => {
          playing.set(await plays(friend.get(), tab));
          return '200, still without a wallet';
        },
      },
      { title: 'The fan links a wallet', run: () => link(friend.get()) },
      {
        title: 'The fan claims it',
        run: async () => {
          const { transaction_hash: hash } = await claim(friend.get(), {
            contract: contract.get().address,
            id: ticket.get().id,
          });
          return `pending, ${hash}`;
        },
      },
      {
        title: 'Plays while it is mined',
        run: async () => {
          const deadline = performance.now() + confirmationSeconds * 1_000;
          let calls = 0;
          for (let isFinal = false; !isFinal; calls += 1) {
            isFinal = await isConfirmed();
            playing.set(await ask(friend.get(), tab));
            expectSame({ expected: undefined, seen: playing.get().refusal });
            if (performance.now() > deadline)
              throw new UnexpectedError({ expected: 'a confirmed token', seen: 'none' });
          }
          return `200 to all ${calls} calls until the token was final`;
        },
      },
      {
        title: 'What happened to it',
        run: async () => {
          const { history } = await marquee().getTokenHistory(contract.get().address, ticket.get().id, {
            signal,
          });
          const [first, second] = [await identifierOf(fan.get()), await identifierOf(friend.get())];
          const { address } = friend.get().wallet;
          expectSame({
            expected: [
              ['reserved', undefined, first],
              ['given', first, second],
              ['claimed', second, address],
              ['minted', undefined, address],
            ],
            seen: history.map(({ what, from, to }) => [what, from, to]),
          });
          return 'reserved, given, claimed and minted, with the fans and the wallet';
        },
      },
      {
        title: 'What the first fan sees',
        run: async () => {
          const own = await historyOf(fan.get(), {
            contract: contract.get().address,
            id: ticket.get().id,
          });
          const first = await identifierOf(fan.get());
          expectSame({
            expected: [
              ['reserved', undefined, first],
              ['given', first, null],
            ],
            seen: own.map(({ what, from, to }) => [what, from, to]),
          });
          return 'that it was given away, but not to whom';
        },
      },
      {
        title: 'The fan sells a ticket',
        run: async () => {
          buyer.set(await register('buyer'));
          await link(buyer.get());
          const { wallet: account } = friend.get();
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
      { title: 'The seller is refused', run: () => refused(friend.get(), tab, 'PURCHASE_REQUIRED') },
      { title: 'Seller’s stream ends', run: () => ends(playing.get()) },
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
