import type { DailyUse } from '../../../shared/nft/ports/daily-counts.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';

/** How many contracts and mints an application requested on a day (UTC), and its daily limits. */
export interface Usage {
  readonly applicationId: string;
  readonly tier: string;
  readonly day: string;
  readonly contracts: number;
  readonly contractsPerDay: number;
  readonly mints: number;
  readonly mintsPerDay: number;
}

export const usageOf = async (
  { counts, clock }: { readonly counts: DailyUse; readonly clock: Clock },
  { id, tier, limits }: Pick<Application, 'id' | 'tier' | 'limits'>,
): Promise<Usage> => {
  const day = new Date(clock()).toISOString().slice(0, 10);
  const [contracts, mints] = await Promise.all([
    counts.made({ applicationId: id, what: 'contracts', day }),
    counts.made({ applicationId: id, what: 'mints', day }),
  ]);
  return { applicationId: id, tier, day, contracts, mints, ...limits };
};

export const usageRow = ({ applicationId, tier, day, ...usage }: Usage) => ({
  application: applicationId,
  tier,
  day,
  contracts: usage.contracts,
  contracts_per_day: usage.contractsPerDay,
  mints: usage.mints,
  mints_per_day: usage.mintsPerDay,
});
