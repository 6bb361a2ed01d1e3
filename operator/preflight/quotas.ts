import { paginateListServiceQuotas, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import type { AwsSettings } from '../target.ts';

/** A quota by the name that AWS's pages give it; Service Quotas writes some words of it large. */
interface QuotaName {
  readonly service: 'kms' | 'sns';
  readonly name: string;
  /** The least that AWS gives anywhere, where Service Quotas lists none. */
  readonly least: number;
}

/** As AWS's pages name them, "Request quotas" of KMS and "Amazon SNS endpoints and quotas", with their least values. */
const names = {
  signaturesPerSecond: {
    service: 'kms',
    name: 'Cryptographic operations (ECC) request rate',
    least: 300,
  },
  publishedPerSecond: { service: 'sns', name: 'Messages published per second', least: 300 },
  filterPoliciesPerTopic: { service: 'sns', name: 'Filter policies per topic', least: 200 },
} as const satisfies Record<string, QuotaName>;

export interface Quota {
  readonly value: number;
  /** Else it is the least that AWS gives. */
  readonly isListed: boolean;
}

export type Quotas = Readonly<Record<keyof typeof names, Quota>>;

/** What Service Quotas says of the account in its Region. */
export const readQuotas = async (settings: AwsSettings): Promise<Quotas> => {
  const client = new ServiceQuotasClient(settings);
  const listed = new Map<string, number>();
  for (const ServiceCode of ['kms', 'sns']) {
    for await (const { Quotas = [] } of paginateListServiceQuotas({ client }, { ServiceCode })) {
      for (const { QuotaName = '', Value } of Quotas) {
        if (Value !== undefined) listed.set(`${ServiceCode} ${QuotaName.toLowerCase()}`, Value);
      }
    }
  }
  const quotaOf = ({ service, name, least }: QuotaName): Quota => {
    const value = listed.get(`${service} ${name.toLowerCase()}`);
    return { value: value ?? least, isListed: value !== undefined };
  };
  return {
    signaturesPerSecond: quotaOf(names.signaturesPerSecond),
    publishedPerSecond: quotaOf(names.publishedPerSecond),
    filterPoliciesPerTopic: quotaOf(names.filterPoliciesPerTopic),
  };
};
