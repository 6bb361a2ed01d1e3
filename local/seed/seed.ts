import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@marquee/client';
import type { DeployedStack } from 'template-runtime/assembly/deployment.ts';
import { writeFileDurably } from 'template-runtime/durable-file.ts';
import { region } from 'template-runtime/engines/account.ts';
import type { Engines } from 'template-runtime/engines/engines.ts';
import * as z from 'zod';
import { type Hex, lowerCase } from '../../shared/chain/hex.ts';
import type { EventChange } from '../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';
import { type DocumentClient, documentClientOf } from '../../shared/platform/store/client.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { putUserData } from '../../shared/users/put-user-data.ts';
import { dynamoDbApplicationUserSubs } from '../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import type { SigningKey } from '../fakes/distribution.ts';
import {
  addApplications,
  type DemonstrationApplication,
  listApplications,
  moveOrigins,
} from './applications.ts';
import {
  demonstrationApplications,
  demonstrationEvents,
  demonstrationUsers,
  kickOffEventId,
  kickOffTimes,
  ticketedEvent,
  ticketing,
} from './demonstration.ts';
import { putSecrets } from './secrets.ts';
import { fundSigners } from './signers.ts';

export interface SeedOptions {
  readonly engines: Engines;
  readonly stack: DeployedStack;
  readonly stateDirectory: string;
  readonly awsEndpointUrl: string;
  /** The address of the distribution that serves the demonstration's streams. It accepts signatures by `signingKey`. */
  readonly distributionUrl: string;
  readonly signingKey: SigningKey;
  /** The origins of the pages that link wallets. */
  readonly pageOrigins: readonly string[];
  readonly empty: boolean;
}

const recordSchema = z.object({
  secrets: z.record(z.string(), z.string()),
  catalogue: z.boolean(),
  distributionUrl: z.string().optional(),
  pageOrigins: z.array(z.string()).optional(),
  /** The ids of all applications that were ever added, including those that were removed later. */
  applications: z.array(z.string()).default(['demo', 'partner']),
  /** Whether the seed has added the event whose stream requires a ticket. */
  ticketed: z.boolean().default(false),
});

export interface Seeded {
  readonly applications: readonly DemonstrationApplication[];
  /**
   * Adds a collection of tickets and an event that viewers can play with these tickets, unless an earlier call added
   * them. This calls the service and costs gas, so it is done only when the player page is first opened.
   */
  addTicketedEvent(baseUrl: string): Promise<void>;
}

/**
 * Does the operator's work after a deployment, such as storing secrets and adding applications. Work that an earlier
 * start has finished is not repeated, so that later changes and removals survive a restart.
 */
export const seed = async (options: SeedOptions): Promise<Seeded> => {
  const { engines, stack, stateDirectory, empty } = options;
  const file = join(stateDirectory, 'seed.json');
  const earlier = existsSync(file) ? recordSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  const values = {
    ChainSecret: JSON.stringify({ urls: [engines.chain.rpcUrl] }),
    TicketChainSecret: JSON.stringify({ urls: [engines.chain.rpcUrl] }),
    EntitlementSecret: JSON.stringify({ api_key: 'local' }),
    GeolocationSecret: JSON.stringify({ account_id: '1', license_key: 'local' }),
    SigningKey: JSON.stringify(options.signingKey),
  };
  putSecrets({ secrets: engines.secrets, stack, values, earlier: earlier?.secrets ?? {} });
  await fundSigners(engines);

  const documents = documentClientOf({
    endpoint: options.awsEndpointUrl,
    region,
    credentials: { accessKeyId: 'operator', secretAccessKey: 'operator' },
  });
  const output = outputReader(stack);
  const registry = dynamoDbApplications({ client: documents, tableName: output('ApplicationsTable') });
  const { keys } = engines.gateway;
  const usagePlanIdsByTier = z.record(z.string(), z.string()).parse(JSON.parse(output('UsagePlansByTier')));
  const added = earlier?.applications ?? [];
  await addApplications({ registry, keys, usagePlanIdsByTier, except: added });
  const { distributionUrl, pageOrigins } = options;
  await moveOrigins({ registry, from: earlier?.pageOrigins, to: pageOrigins });
  if (!empty && !earlier?.catalogue) await addCatalogue({ documents, output, distributionUrl });
  if (earlier?.catalogue) await moveKickOff({ documents, output });
  await moveStreams({ documents, output, from: earlier?.distributionUrl, to: distributionUrl });
  const record = {
    secrets: values,
    catalogue: earlier?.catalogue || !empty,
    distributionUrl,
    applications: [...new Set([...added, ...demonstrationApplications.map(({ id }) => id)])],
    pageOrigins,
    ticketed: earlier?.ticketed ?? false,
  };
  writeFileDurably(file, JSON.stringify(record));
  const applications = await listApplications({ registry, keys });
  const arena = applications.find(({ id }) => id === ticketing);
  return {
    applications,
    addTicketedEvent: async (baseUrl) => {
      if (record.ticketed || empty || arena === undefined) return;
      const marquee = createClient({ baseUrl, apiKey: arena.api_key });
      const order = { name: 'Arena night', symbol: 'ARENA', chain: 'MATIC' } as const;
      const { address } = await marquee.createContract(order, { idempotencyKey: 'demonstration tickets' });
      const catalogue = dynamoDbCatalogue({ client: documents, tableName: output('EventsTable') });
      await catalogue.write([{ after: ticketedEvent(distributionUrl, lowerCase(address as Hex)) }]);
      record.ticketed = true;
      writeFileDurably(file, JSON.stringify(record));
    },
  };
};

type OutputReader = (key: string) => string;

const outputReader =
  (stack: DeployedStack): OutputReader =>
  (key) => {
    const found = stack.outputs.find((output) => output.key === key);
    if (!found) throw new Error(`the template has no output ${key}`);
    return found.value;
  };

/** Changes the addresses of streams and images if the distribution's port has changed since an earlier start. */
const moveStreams = async ({
  documents: client,
  output,
  from,
  to,
}: {
  readonly documents: DocumentClient;
  readonly output: OutputReader;
  readonly from: string | undefined;
  readonly to: string;
}): Promise<void> => {
  if (from === undefined || from === to) return;
  const catalogue = dynamoDbCatalogue({ client, tableName: output('EventsTable') });
  const changes: EventChange[] = [];
  for await (const before of catalogue.all()) {
    const { stream, image } = before.event;
    if (!stream?.url.startsWith(`${from}/`)) continue;
    const moved = (url: string) => (url.startsWith(`${from}/`) ? `${to}${url.slice(from.length)}` : url);
    const after = {
      ...before.event,
      image: image && moved(image),
      stream: { ...stream, url: moved(stream.url) },
    };
    changes.push({ before, after });
  }
  await catalogue.write(changes);
};

/** The event that turns LIVE by itself does so after each start, unless an operator has set its status or removed it. */
const moveKickOff = async ({
  documents: client,
  output,
}: {
  readonly documents: DocumentClient;
  readonly output: OutputReader;
}): Promise<void> => {
  const catalogue = dynamoDbCatalogue({ client, tableName: output('EventsTable') });
  const before = await catalogue.findStored(kickOffEventId);
  if (before?.event.schedule === undefined || before.event.hand.status !== undefined) return;
  const { event } = before;
  await catalogue.write([
    { before, after: { ...event, status: 'UPCOMING', ...kickOffTimes(systemClock()), hand: {} } },
  ]);
};

const addCatalogue = async ({
  documents: client,
  output,
  distributionUrl,
}: {
  readonly documents: DocumentClient;
  readonly output: OutputReader;
  readonly distributionUrl: string;
}): Promise<void> => {
  const events = dynamoDbCatalogue({ client, tableName: output('EventsTable') });
  const users = dynamoDbUsers({ client, tableName: output('UsersTable') });
  const subs = dynamoDbApplicationUserSubs({ client, tableName: output('ApplicationUserSubsTable') });
  await Promise.all([
    events.write(demonstrationEvents(distributionUrl, systemClock()).map((after) => ({ after }))),
    ...demonstrationUsers.map(({ userSub, data }) =>
      putUserData(
        { users, subs, clock: systemClock },
        { userSub, applicationId: undefined, change: { data } },
      ),
    ),
  ]);
};
