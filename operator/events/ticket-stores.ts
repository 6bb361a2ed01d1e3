import { dynamoDbContractApplications } from '../../shared/adapters/dynamodb/contract-applications.ts';
import { dynamoDbVoidTickets } from '../../shared/adapters/dynamodb/void-tickets.ts';
import { createEndpoints } from '../../shared/adapters/polygon/endpoints.ts';
import { rpcSecret } from '../../shared/adapters/polygon/rpc-secret.ts';
import { chainTicketHoldings } from '../../shared/adapters/polygon/ticket-holdings.ts';
import { secretsClient } from '../../shared/adapters/secrets/client.ts';
import { systemClock } from '../../shared/clock.ts';
import { stageSettings } from '../stage-settings.ts';
import { documentsOf, eventStoreOf, usersOf, walletsOf } from '../stores.ts';
import type { Target } from '../target.ts';

/** Looks up ticket holders through the same RPC endpoints that the API uses for a request to play a stream. */
export const ticketHoldingsOf = (target: Target) =>
  chainTicketHoldings(
    createEndpoints({
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
  holdings: ticketHoldingsOf(target),
  clock: systemClock,
});

export const voidTicketsOf = (target: Target) => dynamoDbVoidTickets(eventStoreOf(target));

export const contractApplicationsOf = (target: Target) =>
  dynamoDbContractApplications({ client: documentsOf(target), tableName: target.output('ContractsTable') });
