import { dynamoDbContracts } from '../../../shared/nft/store/contracts.ts';
import { dynamoDbHistoryLines } from '../../../shared/nft/store/history-lines.ts';
import { signerInRecord } from '../../../shared/nft/store/log-records.ts';
import { dynamoDbNfts } from '../../../shared/nft/store/nfts.ts';
import { dynamoDbSigners } from '../../../shared/nft/store/signers.ts';
import { dynamoDbTransactionLog } from '../../../shared/nft/store/transactions.ts';
import type { Notification } from '../../../shared/notifications/messages/message.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbReplays } from '../../../shared/notifications/store/replays.ts';
import { changeInRecord } from '../../../shared/notifications/store/stream-records.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { allSessions } from '../../../shared/ott/store/sessions.ts';
import { dynamoDbVoidTickets } from '../../../shared/ott/store/void-tickets.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
import { dynamoDbApplicationUserSubs } from '../../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { dynamoDbWallets } from '../../../shared/wallets/store/wallets.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';

/**
 * How the functions and the command line of a release read what is stored. `keep-release` bundles this file, so that the
 * next release can test what this one makes of its data after a rollback.
 */
export interface ReleaseReaders {
  /** Resolves to the contracts, tokens, the lines of their histories, log entries and signers. */
  nft(tables: TableNames, applicationId: string): Promise<unknown>;
  /** Resolves to the catalogue, the sessions and the void tickets. */
  ott(tables: TableNames): Promise<unknown>;
  /**
   * Resolves to the applications, users, their wallets, and the notifications and endpoints of one application, with what
   * endpoints have not accepted.
   */
  users(tables: TableNames, applicationId: string): Promise<unknown>;
  /**
   * Resolves to the notifications that the publisher makes of the records of both streams, and the signers for which
   * waiters would be started. The records of the log are those that pass the template's filter.
   */
  streams(tables: TableNames, records: StreamRecords): Promise<unknown>;
}

interface StreamRecords {
  readonly users: readonly unknown[];
  readonly log: readonly unknown[];
}

/** By construct id, such as `Contracts`. */
type TableNames = Readonly<Record<string, string>>;

const all = async <Each>(each: AsyncIterable<Each>): Promise<Each[]> => {
  const found: Each[] = [];
  for await (const one of each) found.push(one);
  return found;
};

/** Values that JSON has no form for become texts and lists. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => {
      if (typeof each === 'bigint') return String(each);
      if (each instanceof Uint8Array) return Buffer.from(each).toString('base64');
      return each instanceof Map || each instanceof Set ? [...each] : each;
    }) ?? 'null',
  );

export const readersOf = (endpoint: string): ReleaseReaders => {
  const client = documentClientOf({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const tableOf = (tables: TableNames, id: string) => ({ client, tableName: tables[id] ?? '' });

  return {
    nft: async (tables, applicationId) => {
      const log = dynamoDbTransactionLog({
        client,
        tables: {
          contracts: tables.Contracts ?? '',
          nfts: tables.Nfts ?? '',
          transactions: tables.Transactions ?? '',
          requests: tables.Requests ?? '',
        },
      });
      const signers = await dynamoDbSigners(tableOf(tables, 'Signers')).list();
      const entries = await Promise.all(
        signers.map(({ id, nextNonce }) => log.range({ signer: id, from: 0, to: nextNonce })),
      );
      const { items: contracts } = await dynamoDbContracts(tableOf(tables, 'Contracts')).list({
        applicationId,
        limit: 100,
      });
      const nfts = dynamoDbNfts(tableOf(tables, 'Nfts'));
      const tokens = await Promise.all(
        contracts.map(({ address: contract }) => nfts.list({ applicationId, contract, limit: 100 })),
      );
      const lines = dynamoDbHistoryLines(tableOf(tables, 'TokenHistory'));
      const histories = await Promise.all(
        tokens.flatMap(({ items }) => items).map((token) => lines.ofToken({ ...token, limit: 100 })),
      );
      return plain({ signers, entries, contracts, tokens, histories });
    },

    ott: async (tables) => {
      const catalogue = await all(dynamoDbCatalogue(tableOf(tables, 'Events')).all());
      const events = dynamoDbEvents(tableOf(tables, 'Events'));
      const found = await Promise.all(catalogue.map(({ event: { id } }) => events.find(id)));
      const sessions = await all(allSessions(tableOf(tables, 'Sessions')));
      const voidTickets = await all(dynamoDbVoidTickets(tableOf(tables, 'Events')).all());
      return plain({ catalogue, found, sessions, voidTickets });
    },

    users: async (tables, applicationId) => {
      const users = dynamoDbUsers(tableOf(tables, 'Users'));
      const changes = await all(users.changedSince('2000'));
      const known = await Promise.all(changes.map(({ userSub }) => users.find(userSub)));
      const wallets = dynamoDbWallets(tableOf(tables, 'Wallets'));
      const linked = await Promise.all(changes.map(({ userSub }) => wallets.find(holderOf(userSub))));
      const subs = dynamoDbApplicationUserSubs(tableOf(tables, 'ApplicationUserSubs'));
      const registered = await Promise.all(
        changes.map(async ({ registrationId }) => [...(await subs.ofRegistration(registrationId))]),
      );
      const hour = 3_600_000;
      const window = { applicationId, from: Date.now() - hour, to: Date.now() + hour, limit: 100 };
      const records = dynamoDbNotificationRecords(tableOf(tables, 'Notifications'));
      const replays = dynamoDbReplays(tableOf(tables, 'Notifications'));
      const opened = await replays.opened(applicationId);
      const endpoints = await dynamoDbEndpoints(tableOf(tables, 'Endpoints')).list();
      const undelivered = dynamoDbUndelivered(tableOf(tables, 'Notifications'));
      return plain({
        applications: await dynamoDbApplications(tableOf(tables, 'Applications')).list(),
        changes,
        known,
        linked,
        registered,
        notifications: await records.list(window),
        replays: await Promise.all(opened.map((replay) => replays.find(replay))),
        endpoints,
        failed: await Promise.all(
          endpoints.map((endpoint) => undelivered.suspected(endpoint, { limit: 100 })),
        ),
        undelivered: await Promise.all(
          endpoints.map((endpoint) => undelivered.soonest(endpoint, { isGivenUp: false, limit: 100 })),
        ),
      });
    },

    streams: async (tables, { users, log }) => {
      const subs = dynamoDbApplicationUserSubs(tableOf(tables, 'ApplicationUserSubs'));
      const changeIn = changeInRecord({ subs });
      const ofUsers = users.map((record) => changeIn(record)?.subject ?? null);
      const subscribed = async (notifications: readonly Notification[]) => notifications;
      const told = await Promise.all(
        log.map((record) => changeIn(record)?.notifications({ applications: [], subscribed })),
      );
      return plain({ ofUsers, told, signers: log.map(signerInRecord) });
    },
  };
};
