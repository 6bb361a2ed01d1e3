import { ottConfigurationOf } from '../../../shared/ott/configuration.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { playableStatuses } from '../../../shared/ott/events/event-kinds.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import type { ContractApplications } from '../../../shared/ott/ports/contract-applications.ts';
import { cachedContractApplications, streamLimits } from '../../../shared/ott/sessions/stream-limits.ts';
import { rulesShow } from '../../../shared/ott/viewers/rules.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { someIds } from './ineffective-voids.ts';

/**
 * Warnings of events with tickets that the viewers of an application can play on any number of screens, because no
 * limit applies. There is one warning for each such application.
 */
export const unlimitedTickets = async (
  {
    applications,
    contracts,
  }: { readonly applications: readonly Application[]; readonly contracts: ContractApplications },
  events: readonly Event[],
): Promise<readonly string[]> => {
  const dependencies = {
    applications: { find: async (id: string) => applications.find((application) => application.id === id) },
    contracts: cachedContractApplications(contracts, { clock: systemClock }),
  };
  const warnings: string[] = [];
  for (const application of applications) {
    const { id } = application;
    const configuration = ottConfigurationOf(application);
    const unlimited: string[] = [];
    for (const event of events) {
      const isShown = playableStatuses.some((status) =>
        rulesShow(configuration.rules, { access: event.access, categories: event.categories, status }),
      );
      if (event.tickets === undefined || !isShown) continue;
      const limits = await streamLimits(dependencies, { applicationId: id, configuration, event });
      if (limits.size === 0) unlimited.push(event.id);
    }
    if (unlimited.length === 0) continue;
    warnings.push(
      `Through ${id}, one ticket opens any number of streams at once, because neither ${id} nor the application that issues the tickets limits them (ott.streams_at_once): ${someIds(unlimited)}`,
    );
  }
  return warnings;
};

export const eventsWithTickets = async (catalogue: Pick<Catalogue, 'all'>): Promise<readonly Event[]> => {
  const found: Event[] = [];
  for await (const { event } of catalogue.all()) if (event.tickets !== undefined) found.push(event);
  return found;
};
