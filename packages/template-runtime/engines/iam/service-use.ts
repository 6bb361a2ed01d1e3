import { accountId } from '../account.ts';
import type { KeyEngine } from '../kms.ts';
import { policyAdmitsService } from './resource-policy.ts';

export interface ServiceUse {
  /** e.g. `cloudwatch.amazonaws.com` */
  readonly service: string;
  readonly sourceArn: string;
}

const contextOf = ({ sourceArn }: ServiceUse): Readonly<Record<string, string>> => ({
  'aws:SecureTransport': 'true',
  'aws:SourceAccount': accountId,
  'aws:SourceArn': sourceArn,
});

export const serviceMay = (
  use: ServiceUse,
  {
    policy,
    action,
    resource,
  }: { readonly policy: string; readonly action: string; readonly resource: string },
): boolean =>
  policyAdmitsService({
    policy: JSON.parse(policy),
    service: use.service,
    action,
    resource,
    context: contextOf(use),
  });

export type KeyPermission = (use: ServiceUse, keyId: string) => boolean;

/** Whether a service may use a KMS key. Only the key's policy decides, because the service acts under no role. */
export const keyPermission =
  (keys: Pick<KeyEngine, 'list'>): KeyPermission =>
  (use, keyId) => {
    // Keys that AWS manages (`alias/aws/…`) are not in the list, so no service may use them here. On AWS, each of them
    // belongs to one service, and only this service may use it.
    const key = keys.list().find((each) => each.keyId === keyId || each.arn === keyId);
    return (
      key?.state === 'Enabled' &&
      ['kms:GenerateDataKey', 'kms:Decrypt'].every((action) =>
        policyAdmitsService({
          policy: key.policy,
          service: use.service,
          action,
          resource: key.arn,
          context: contextOf(use),
        }),
      )
    );
  };
