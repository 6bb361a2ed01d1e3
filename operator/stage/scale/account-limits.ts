import type { Account } from '../preflight/account.ts';
import type { Quota } from '../preflight/quotas.ts';
import { type AccountLimits, awsDefaults } from './limits.ts';

const known = (quota: Quota): number | undefined => ('unknown' in quota ? undefined : quota.value);

/** AWS's default limits, and what to print about them. `why` says why they are used. */
export const defaultLimits = (why: string): { readonly limits: AccountLimits; readonly remark: string } => ({
  limits: awsDefaults,
  remark: `The limits are AWS's defaults, because ${why}.`,
});

/** The account's limits, or AWS's defaults if the account's limits cannot be read. */
export const limitsOf = async (
  account: Pick<Account, 'identity' | 'concurrency' | 'gatewayLimits' | 'quotas'>,
): Promise<{ readonly limits: AccountLimits; readonly remark: string }> => {
  try {
    const { accountId, region } = await account.identity();
    const [{ all }, { ratePerSecond }, quotas] = await Promise.all([
      account.concurrency(),
      account.gatewayLimits(),
      account.quotas(),
    ]);
    return {
      limits: {
        concurrency: all,
        gatewayRequests: ratePerSecond,
        signatures: known(quotas.signaturesPerSecond),
        published: known(quotas.publishedPerSecond),
      },
      remark: `The limits are those of the account ${accountId} in ${region}.`,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return defaultLimits(`the account's limits could not be read (${why})`);
  }
};
