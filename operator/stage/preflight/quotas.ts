import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  type ServiceQuota,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import type { AwsSettings } from '../../../shared/platform/aws/client.ts';

/**
 * A quota, identified by its code, which stays the same when AWS renames the quota. As a safeguard, the quota's name
 * must match `name`.
 */
interface WantedQuota {
  readonly ServiceCode: 'kms' | 'sns';
  readonly QuotaCode: string;
  readonly name: RegExp;
}

const wanted = {
  /** In the API, its name is "Cryptographic operations (ECC) request rate"; AWS's page says "(ECC and SM2)". */
  signaturesPerSecond: { ServiceCode: 'kms', QuotaCode: 'L-DC14942D', name: /\bECC\b/i },
  publishedPerSecond: { ServiceCode: 'sns', QuotaCode: 'L-F8E2BA85', name: /messages published per second/i },
  filterPoliciesPerTopic: { ServiceCode: 'sns', QuotaCode: 'L-B96EDA7D', name: /filter policies per topic/i },
} as const satisfies Record<string, WantedQuota>;

/** One of the account's quotas in its Region, or why it is unknown. */
export type Quota = { readonly value: number } | { readonly unknown: string };

export type Quotas = Readonly<Record<keyof typeof wanted, Quota>>;

/** `GetServiceQuota` knows only quotas that were set for this account. For any other quota, AWS's default applies. */
const lookedUp = async (
  client: ServiceQuotasClient,
  { ServiceCode, QuotaCode }: WantedQuota,
): Promise<ServiceQuota | undefined> => {
  const quota = { ServiceCode, QuotaCode };
  for (const ask of [
    () => client.send(new GetServiceQuotaCommand(quota)),
    () => client.send(new GetAWSDefaultServiceQuotaCommand(quota)),
  ]) {
    try {
      const { Quota } = await ask();
      if (Quota?.Value !== undefined) return Quota;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'NoSuchResourceException') throw error;
    }
  }
  return undefined;
};

const quotaOf = async (client: ServiceQuotasClient, quota: WantedQuota): Promise<Quota> => {
  const where = `${quota.QuotaCode} of ${quota.ServiceCode}`;
  try {
    const { QuotaName = '', Value } = (await lookedUp(client, quota)) ?? {};
    if (Value === undefined) return { unknown: `not known: Service Quotas has no ${where}` };
    if (quota.name.test(QuotaName)) return { value: Value };
    return { unknown: `not known: Service Quotas shows an unexpected name for ${where}: "${QuotaName}"` };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AccessDeniedException') throw error;
    return { unknown: `not known: these credentials may not ask Service Quotas for ${where}` };
  }
};

/** Reads each quota from Service Quotas. */
export const readQuotas = async (settings: AwsSettings): Promise<Quotas> => {
  const client = new ServiceQuotasClient(settings);
  return {
    signaturesPerSecond: await quotaOf(client, wanted.signaturesPerSecond),
    publishedPerSecond: await quotaOf(client, wanted.publishedPerSecond),
    filterPoliciesPerTopic: await quotaOf(client, wanted.filterPoliciesPerTopic),
  };
};
