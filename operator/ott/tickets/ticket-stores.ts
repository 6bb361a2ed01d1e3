import { createRpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import { rpcSecret } from '../../../shared/chain/rpc/rpc-secret.ts';
import { dynamoDbHeldTokens } from '../../../shared/nft/store/held-tokens.ts';
import { chainTicketHoldings } from '../../../shared/ott/rpc/ticket-holdings.ts';
import { dynamoDbContractApplications } from '../../../shared/ott/store/contract-applications.ts';
import { dynamoDbVoidChanges, dynamoDbVoidTickets } from '../../../shared/ott/store/void-tickets.ts';
import { secretsClient } from '../../../shared/platform/aws/secrets-client.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { historyLinesOf } from '../../nft/chain/stores.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import {
  applicationUserSubsOf,
  documentsOf,
  eventStoreOf,
  usersOf,
  walletsOf,
} from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';

/** Looks up ticket holders through the same RPC endpoints that the API uses for a request to play a stream. */
export const ticketHoldingsOf = (target: Target) =>
  chainTicketHoldings(
    createRpcEndpoints({
      chainId: stageSettings(target.stage).nft.chainId,
      urls: rpcSecret({
        client: secretsClient({ settings: target.aws }),
        secretId: target.output('TicketChainSecretArn'),
      }),
      clock: systemClock,
    }),
  );

/** The dependencies with which `events why` explains whether a viewer holds a ticket. */
export const ticketsOf = (target: Target) => ({
  wallets: walletsOf(target),
  users: usersOf(target),
  voidTickets: voidTicketsOf(target),
  tokens: heldTokensOf(target),
  holdings: ticketHoldingsOf(target),
  lines: historyLinesOf(target),
  subs: applicationUserSubsOf(target),
  contracts: contractApplicationsOf(target),
  clock: systemClock,
});

export const voidTicketsOf = (target: Target) => dynamoDbVoidTickets(eventStoreOf(target));

export const voidChangesOf = (target: Target) =>
  dynamoDbVoidChanges({
    client: documentsOf(target),
    tables: { events: target.output('EventsTable'), history: target.output('TokenHistoryTable') },
  });

const heldTokensOf = (target: Target) =>
  dynamoDbHeldTokens({ client: documentsOf(target), tableName: target.output('NftsTable') });

export const contractApplicationsOf = (target: Target) =>
  dynamoDbContractApplications({ client: documentsOf(target), tableName: target.output('ContractsTable') });
