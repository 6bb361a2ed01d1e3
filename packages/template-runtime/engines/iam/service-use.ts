import { accountId } from '../account.ts';
import type { KeyEngine } from '../kms.ts';
import { policyAdmitsService } from './resource-policy.ts';

/** A service of AWS that acts for one of the account's resources. */
export interface ServiceUse {
  /** e.g. `cloudwatch.amazonaws.com` */
  readonly service: string;
  /** For which of the account's resources it acts. */
  readonly sourceArn: string;
}

const contextOf = ({ sourceArn }: ServiceUse): Readonly<Record<string, string>> => ({
  'aws:SecureTransport': 'true',
  'aws:SourceAccount': accountId,
  'aws:SourceArn': sourceArn,
});

/** Whether the policy of a queue or topic, JSON as its attribute has it, lets a service do something to it. */
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

/** Whether a service may encrypt and decrypt what it puts under a key. */
export type KeyPermission = (use: ServiceUse, keyId: string) => boolean;

/** As the key's own policy says: no role stands between a service and a key. */
export const keyPermission =
  (keys: Pick<KeyEngine, 'list'>): KeyPermission =>
  (use, keyId) => {
    // A key of AWS's own (`alias/aws/…`) is not among them, and admits no other service.
    const key = keys.list().find((each) => each.keyId === keyId || each.arn === keyId);
    return (
      key !== undefined &&
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
