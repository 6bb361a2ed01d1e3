import type { Undecided } from '../../../shared/nft/restored/undecided.ts';
import { restoredContracts } from '../../../shared/nft/store/restored-contracts.ts';
import { restoredHistory } from '../../../shared/nft/store/restored-history.ts';
import { restoredNfts } from '../../../shared/nft/store/restored-nfts.ts';
import { restoredRequests } from '../../../shared/nft/store/restored-requests.ts';
import { restoredTransactions } from '../../../shared/nft/store/restored-transactions.ts';
import { recordLifetimeMilliseconds } from '../../../shared/notifications/record/record.ts';
import {
  restoredEndpoints,
  restoredNotifications,
} from '../../../shared/notifications/store/restored-notifications.ts';
import { restoredEvents } from '../../../shared/ott/store/restored-events.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import { restoredApplications } from '../../../shared/platform/store/restored-applications.ts';
import type { RestorableTable, RestoredTables } from '../../../shared/platform/store/restored-items.ts';
import { restoredSubs, restoredUsers } from '../../../shared/users/store/restored-users.ts';
import { tombstoneRetentionMilliseconds } from '../../../shared/users/user.ts';
import { restoredWallets } from '../../../shared/wallets/store/restored-wallets.ts';

/** What the rules of the tables need besides the present and the earlier state of the table. */
export interface RestoreContext {
  /** Returns the name of a live table, given the name of the stack output that contains it. */
  readonly liveName: (output: string) => string;
  /** How the stage signs streams. */
  readonly signing: Signing;
  readonly undecided: Undecided;
  readonly mintedAfter: Parameters<typeof restoredNfts>[1]['mintedAfter'];
  readonly toldAbout: Parameters<typeof restoredTransactions>[1]['toldAbout'];
}

interface Restorable {
  /** The output of the stack that has the live table's name. */
  readonly output: string;
  readonly of: (tables: RestoredTables, context: RestoreContext) => RestorableTable;
  /**
   * How long the service remembers deletions. Restoring an older state would bring back what was deleted. @default not
   * at all
   */
  readonly deletionsDays?: number;
}

export const dayMilliseconds = 24 * 60 * 60 * 1_000;
const deletionsDays = tombstoneRetentionMilliseconds / dayMilliseconds;

/** The tables in the order in which they are restored: each depends on the tables before it. */
export const restorable = {
  applications: { output: 'ApplicationsTable', of: ({ live }) => restoredApplications(live) },
  users: {
    output: 'UsersTable',
    of: (tables, { liveName }) => restoredUsers(tables, { walletsTable: liveName('WalletsTable') }),
    deletionsDays,
  },
  'application-user-subs': {
    output: 'ApplicationUserSubsTable',
    of: (tables, { liveName }) => restoredSubs(tables, { usersTable: liveName('UsersTable') }),
    deletionsDays,
  },
  wallets: {
    output: 'WalletsTable',
    of: (tables, { liveName }) => restoredWallets(tables, { usersTable: liveName('UsersTable') }),
    deletionsDays,
  },
  events: { output: 'EventsTable', of: ({ live }, { signing }) => restoredEvents(live, { signing }) },
  endpoints: {
    output: 'EndpointsTable',
    of: ({ live }) => restoredEndpoints(live),
    deletionsDays: recordLifetimeMilliseconds / dayMilliseconds,
  },
  notifications: { output: 'NotificationsTable', of: ({ live }) => restoredNotifications(live) },
  // A request that is repeated must find its key before it can mint again.
  requests: { output: 'RequestsTable', of: ({ live }) => restoredRequests(live) },
  contracts: {
    output: 'ContractsTable',
    of: ({ live }, { undecided }) => restoredContracts(live, undecided),
  },
  nfts: {
    output: 'NftsTable',
    of: ({ live }, context) =>
      restoredNfts(live, { ...context, contractsTable: context.liveName('ContractsTable') }),
  },
  history: {
    output: 'TokenHistoryTable',
    of: ({ live }, { liveName }) =>
      restoredHistory(live, {
        usersTable: liveName('UsersTable'),
        subsTable: liveName('ApplicationUserSubsTable'),
      }),
  },
  transactions: {
    output: 'TransactionsTable',
    of: ({ live }, context) => restoredTransactions(live, context),
  },
} as const satisfies Readonly<Record<string, Restorable>>;

export type RestorableName = keyof typeof restorable;

/** Why the other tables never come back. */
export const notRestored: Readonly<Record<string, { readonly output: string; readonly why: string }>> = {
  signers: {
    output: 'SignersTable',
    why: 'An old state would assign nonces a second time. The next transaction makes it again from the chain; drain the signers again that were drained.',
  },
  grants: {
    output: 'GrantsTable',
    why: 'It remembers decisions for minutes, and an old one would let somebody in whose access has ended.',
  },
  sessions: {
    output: 'SessionsTable',
    why: 'Its leases last minutes, and an old one would take a place from a viewer.',
  },
};
