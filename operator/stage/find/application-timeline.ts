import { checksummed } from '../../../shared/chain/hex.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { DailyUse } from '../../../shared/nft/ports/daily-counts.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { usageOf } from '../applications/usage.ts';
import { moment, type Timeline, unknown } from './timeline.ts';

export interface ApplicationTimelineDependencies {
  readonly applications: Pick<Applications, 'find' | 'findByClientId' | 'findByApiKeyId'>;
  readonly contracts: Pick<Contracts, 'list'>;
  readonly counts: DailyUse;
  readonly clock: Clock;
}

const newestContracts = 5;

const applicationTimeline = async (
  dependencies: Pick<ApplicationTimelineDependencies, 'contracts' | 'counts' | 'clock'>,
  application: Application,
): Promise<Timeline> => {
  const { id, name, tier, audience, clientIds, apiKeyIds, signer } = application;
  const [usage, contracts] = await Promise.all([
    usageOf(dependencies, application),
    dependencies.contracts.list({ applicationId: id, limit: newestContracts }),
  ]);
  return {
    kind: 'customer',
    id,
    fields: {
      name,
      tier,
      audience,
      keys: apiKeyIds.length,
      clients: clientIds.join(', '),
      signer,
      contracts_today: `${usage.contracts} of ${usage.contractsPerDay}`,
      mints_today: `${usage.mints} of ${usage.mintsPerDay}`,
    },
    moments: [
      unknown('who changed the application and when is not recorded here, but CloudTrail shows it'),
      ...contracts.items
        .toReversed()
        .map((contract) => moment(contract.createdAt, `contract ${contract.name} was accepted`)),
    ],
    related: contracts.items.map(({ address }) => checksummed(address)),
    commands: [
      `applications show ${id}`,
      `applications usage ${id}`,
      `subscriptions list --application ${id}`,
    ],
  };
};

/** Finds an application by its id, by one of its OIDC clients, or by the id of one of its API keys. */
export const findApplication = async (
  dependencies: ApplicationTimelineDependencies,
  text: string,
): Promise<Timeline | undefined> => {
  const { applications } = dependencies;
  const [byId, byClient, byKey] = await Promise.all([
    applications.find(text),
    applications.findByClientId(text),
    applications.findByApiKeyId(text),
  ]);
  const found = byId ?? byClient ?? byKey;
  return found && applicationTimeline(dependencies, found);
};
