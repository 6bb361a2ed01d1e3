import type { Application } from '../../platform/applications/application.ts';
import type { Applications } from '../../platform/applications/ports/applications.ts';
import { newCache } from '../../platform/cache.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { type OttConfiguration, ottConfigurationOf } from '../configuration.ts';
import type { Event } from '../events/event.ts';
import type { ContractApplications } from '../ports/contract-applications.ts';
import type { StreamLimits } from './viewer-sessions.ts';

export interface StreamLimitsDependencies {
  readonly contracts: ContractApplications;
  readonly applications: Pick<Applications, 'find'>;
}

/** The contracts of a collection that was not deployed with this service are looked up again after this time. */
const unknownMilliseconds = 60_000;

/** Caches for ever which application has deployed a contract, because this never changes. */
export const cachedContractApplications = (
  { applicationOf }: ContractApplications,
  { clock }: { readonly clock: Clock },
): ContractApplications => {
  const known = newCache<{ readonly id: string | undefined }>({
    capacity: 1_000,
    lifetimeMilliseconds: unknownMilliseconds,
    clock,
  });
  return {
    applicationOf: async (contract) => {
      const hit = known.get(contract);
      if (hit !== undefined) return hit.id;
      const id = await applicationOf(contract);
      known.set(contract, { id }, id === undefined ? unknownMilliseconds : Number.POSITIVE_INFINITY);
      return id;
    },
  };
};

/**
 * The limits that apply to a stream: that of the application through which the viewer calls, that of the application
 * that sold the access, and those of the applications that issue tickets for the event. Otherwise, a viewer could play
 * any number of streams through the client of another application.
 */
export const streamLimits = async (
  dependencies: StreamLimitsDependencies,
  {
    applicationId,
    configuration,
    event,
    seller,
  }: {
    readonly applicationId: string;
    readonly configuration: OttConfiguration;
    readonly event: Pick<Event, 'tickets'>;
    /** The id of the application that sold the access. @default unknown */
    readonly seller?: string | undefined;
  },
): Promise<StreamLimits> => {
  const sellers = await sellersOf(dependencies, { event, seller });
  const configurations = new Map(sellers.map((seller) => [seller.id, ottConfigurationOf(seller)]));
  return new Map(
    [...configurations.set(applicationId, configuration)].flatMap(([id, { streamsAtOnce: limit }]) =>
      limit === undefined ? [] : [[id, limit] as const],
    ),
  );
};

/** The application that sold the access, and those that deployed the collections of the event's tickets. */
const sellersOf = async (
  { contracts, applications }: StreamLimitsDependencies,
  {
    event: { tickets = [] },
    seller,
  }: { readonly event: Pick<Event, 'tickets'>; readonly seller: string | undefined },
): Promise<readonly Application[]> => {
  const ids = await Promise.all(
    tickets.map(({ contractAddress }) => contracts.applicationOf(contractAddress)),
  );
  const known = [...new Set([...ids, seller])].filter((id) => id !== undefined);
  return (await Promise.all(known.map((id) => applications.find(id)))).filter((found) => found !== undefined);
};
