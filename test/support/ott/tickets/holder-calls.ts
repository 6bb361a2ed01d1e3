import { generateKeyPairSync } from 'node:crypto';
import { ticketsOf } from '../../../../functions/ott/dependencies.ts';
import { nftItem } from '../../../../shared/nft/store/nft-items.ts';
import { signedCookies } from '../../../../shared/ott/aws/playback-signer.ts';
import type { EntitlementAnswer, EntitlementService } from '../../../../shared/ott/ports/entitlement.ts';
import { dynamoDbCatalogue } from '../../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../../shared/ott/store/events.ts';
import { dynamoDbGrants } from '../../../../shared/ott/store/grants.ts';
import { withLastKnownGood } from '../../../../shared/ott/streams/last-known-good.ts';
import { logger } from '../../../../shared/platform/logger.ts';
import { circuitBreaker } from '../../../../shared/platform/outside/circuit-breaker.ts';
import type { DocumentClient } from '../../../../shared/platform/store/client.ts';
import { systemClock as clock } from '../../../../shared/platform/time/clock.ts';
import type { TestDatabase } from '../../platform/dynamodb.ts';
import { anEvent, anOttApplication, aReservedToken, ticketCollection } from '../builders.ts';
import { ottCalls } from '../calls.ts';
import { walletWorld } from './wallet-world.ts';

/** Makes a call to something outside. A test can count it, or let it take its time. */
export type Outward = <Result>(what: string, call: () => Promise<Result>) => Promise<Result>;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const calls = ['get', 'put', 'update', 'query', 'batchGet'] as const;

const clientThrough = (client: DocumentClient, outward: Outward): DocumentClient => {
  const through = calls.map((name) => {
    const call = client[name] as (input: object) => Promise<object>;
    return [name, (input: object) => outward(name, () => call(input))];
  });
  return { ...client, ...Object.fromEntries(through) };
};

/**
 * The stream calls of a viewer who has bought an event, and of a viewer for whom a ticket for it is reserved. All calls
 * to tables, to the entitlement service and to the chain are made through `outward`.
 */
export const holderCalls = async (
  database: TestDatabase,
  {
    outward,
    lastKnownGoodSeconds,
    prefix,
  }: { readonly outward: Outward; readonly lastKnownGoodSeconds: number; readonly prefix: string },
) => {
  const { documents } = database;
  const world = await walletWorld(database, { prefix, contracts: { isValid: async () => false } });
  const { tables } = world;
  await world.register('holder');
  const registrations = await world.users.registrationsOf(['holder']);
  const token = aReservedToken(registrations.get('holder') ?? '');
  await documents.put({ TableName: tables.Nfts, Item: nftItem(token) });
  await dynamoDbCatalogue({ client: documents, tableName: tables.Events }).write([
    { after: anEvent({ access: 'paid', tickets: [{ contractAddress: ticketCollection }] }) },
  ]);

  const client = clientThrough(documents, outward);
  const answers: Record<string, EntitlementAnswer> = {
    buyer: { outcome: 'success', vip: false },
    holder: { outcome: 'denied', reason: 'no_purchase', vip: false },
  };
  const service: EntitlementService = {
    check: ({ userSub }) =>
      outward('entitlement', async () => answers[userSub] ?? { outcome: 'unavailable' }),
  };
  const boundMilliseconds = lastKnownGoodSeconds * 1_000;
  const grants = dynamoDbGrants({ client, tableName: tables.Grants });
  /** The calls as an environment of the function that has just started makes them. */
  const start = () => {
    const { stream } = ottCalls({
      events: dynamoDbEvents({ client, tableName: tables.Events }),
      applications: [anOttApplication()],
      entitlement:
        boundMilliseconds === 0
          ? service
          : withLastKnownGood({ entitlement: service, grants, boundMilliseconds, clock, logger }),
      signer: signedCookies({
        secret: { read: async () => ({ key_pair_id: 'K2JCJMDEHXQW5F', private_key }) },
        lifetimeSeconds: 600,
        clock,
        domain: 'example.com',
      }),
      tickets: ticketsOf(
        {
          CHAIN_ID: 31_337,
          CHAIN_SECRET_ARN: 'rpc-urls',
          EVENTS_TABLE: tables.Events,
          GRANTS_TABLE: tables.Grants,
          LAST_KNOWN_GOOD_SECONDS: lastKnownGoodSeconds,
          NFTS_TABLE: tables.Nfts,
          TICKET_SECONDS: 300,
          USERS_TABLE: tables.Users,
          WALLETS_TABLE: tables.Wallets,
        },
        {
          client,
          secrets: { read: async () => JSON.stringify({ urls: ['https://rpc.example.com'] }) },
          exchange: () => outward('chain', async () => Promise.reject(new Error('No endpoint answers'))),
          breakerOf: () => circuitBreaker({ service: 'rpc', logger }),
        },
      ),
      clock,
    });
    return async (viewer: 'buyer' | 'holder'): Promise<void> => {
      const { status } = await stream('final', { headers: { authorization: `Bearer ${viewer}@web` } });
      if (status !== 200) throw new Error(`${viewer} got ${status}`);
    };
  };
  return {
    start,
    /** What the entitlement service says of the holder from now on. */
    setAnswer: (answer: EntitlementAnswer): void => {
      answers.holder = answer;
    },
    /** Gives the ticket to nobody. */
    takeAway: () =>
      documents.put({
        TableName: tables.Nfts,
        Item: nftItem({ ...token, holder: 'of somebody else', version: 1 }),
      }),
  };
};
