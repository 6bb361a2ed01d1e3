import type { StageConfig } from '../../../config/stage.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { applicationsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { accessDeniedIn } from '../../platform/terminal/access-denied.ts';
import { countedUnits, gasGwei } from '../scale/counted-units.ts';
import type { Finding } from './finding.ts';

export type MintLimitsFound = readonly Pick<Application, 'id' | 'limits'>[] | { readonly unknown: string };

/** Reads the applications of a deployed stage, or says why they are unknown. */
export type FindMintLimits = (stage: string) => Promise<MintLimitsFound>;

/** The policy for deploying does not allow reading tables. */
export const findMintLimits =
  (find: (stage: string) => Promise<Target>): FindMintLimits =>
  async (stage) => {
    try {
      return await applicationsOf(await find(stage)).list();
    } catch (error) {
      const denied = accessDeniedIn(error);
      if (denied !== undefined) return { unknown: `not known: ${denied.message}` };
      throw error;
    }
  };

/** The chain whose coins cost money. */
const polygon = 137;
/** The coin has seldom cost more. Nobody tells `preflight` what it costs today. */
const dollarsOfCoin = 1;
const gweiOfCoin = 1_000_000_000;

const rounded = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

/** Names the applications whose mints of a single day could cost more gas than the stage may cost in a month. */
export const mintCostFindings = async (
  applicationsIn: FindMintLimits,
  { name, nft, monthlyBudget }: StageConfig,
  { isDeployed }: { readonly isDeployed: boolean },
): Promise<Finding[]> => {
  if (!isDeployed || nft.chainId !== polygon || typeof monthlyBudget !== 'number') return [];
  const coinsOfMint = (countedUnits().gas.mint * gasGwei) / gweiOfCoin;
  const most = Math.floor(monthlyBudget / dollarsOfCoin / coinsOfMint);
  const check = 'monthlyBudget: mints of a day';
  const wanted = `at most ${rounded(most)} mints a day for each application, whose gas costs monthlyBudget, $${rounded(monthlyBudget)}, at ${gasGwei} gwei and $${dollarsOfCoin} for a coin. AWS Budgets does not see gas: lower the limit with applications set --mints-per-day, or expect that a leaked key costs this much`;
  const applications = await applicationsIn(name);
  if ('unknown' in applications) return [{ check, ok: 'unknown', found: applications.unknown, wanted }];
  const expensive = applications
    .filter(({ limits }) => limits.mintsPerDay > most)
    .toSorted((one, other) => other.limits.mintsPerDay - one.limits.mintsPerDay)
    .map(
      ({ id, limits: { mintsPerDay } }) =>
        `${id}: ${rounded(mintsPerDay)} mints, ${rounded(mintsPerDay * coinsOfMint)} coins`,
    );
  return [
    {
      check,
      ok: expensive.length === 0 ? true : 'warning',
      found: expensive.length === 0 ? 'no application may mint more' : expensive.join('; '),
      wanted,
    },
  ];
};
