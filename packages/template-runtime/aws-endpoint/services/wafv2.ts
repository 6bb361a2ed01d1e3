import * as z from 'zod';
import { arn } from '../../engines/account.ts';
import { aclDefinition, rulesOf } from '../../engines/firewall/definition.ts';
import type { Firewalls } from '../../engines/firewall/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { type Call, tagContext } from '../call.ts';
import { jsonOperation, jsonService } from '../json-protocol.ts';

const reference = z.object({ Id: z.string(), Name: z.string(), Scope: z.literal('REGIONAL') });
const replacement = reference.extend({
  LockToken: z.string(),
  DefaultAction: z.unknown(),
  VisibilityConfig: z.unknown(),
  Rules: z.unknown().optional(),
  Description: z.string().optional(),
  CustomResponseBodies: z.unknown().optional(),
  AssociationConfig: z.unknown().optional(),
});

/** In WAF's calls, unlike in a template, the texts that requests are compared with are base64. */
const withSearchStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((each) => withSearchStrings(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'SearchString' && typeof each === 'string' ? change(each) : withSearchStrings(each, change),
    ]),
  );
};
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (text: string): string => Buffer.from(text, 'base64').toString();

/** Groups of AWS's own, which a caller that changes a web ACL must be allowed to use. */
const managedGroups = arn('wafv2', 'regional/managedruleset/*/*');

export const wafService = (firewalls: Firewalls) => {
  const find = ({ Id, Name }: z.output<typeof reference>, action: string, call: Call) => {
    const found = firewalls.find(Id);
    call.allow(action, arn('wafv2', `regional/webacl/${Name}/${Id}`), tagContext(found?.acl.tags));
    if (found?.acl.name === Name) return found;
    throw new ServiceFault({
      code: 'WAFNonexistentItemException',
      message: 'AWS WAF couldn’t perform the operation because your resource doesn’t exist.',
    });
  };
  return jsonService({
    GetWebACL: jsonOperation(reference, (input, call: Call) => {
      const { acl, lockToken } = find(input, 'wafv2:GetWebACL', call);
      return {
        WebACL: {
          Name: acl.name,
          Id: acl.id,
          ARN: acl.arn,
          ...(withSearchStrings(acl.written, encoded) as object),
          Capacity: 0,
        },
        LockToken: lockToken,
      };
    }),
    UpdateWebACL: jsonOperation(replacement, (input, call: Call) => {
      const { acl, lockToken } = find(input, 'wafv2:UpdateWebACL', call);
      call.allow('wafv2:UpdateWebACL', managedGroups);
      const { Id, Name: _, LockToken, ...definition } = input;
      if (LockToken !== lockToken) {
        throw new ServiceFault({
          code: 'WAFOptimisticLockException',
          message:
            'AWS WAF couldn’t save your changes because someone changed the resource after you read it.',
        });
      }
      const written = withSearchStrings(definition, decoded) as Record<string, unknown>;
      const parsed = aclDefinition.safeParse(written);
      if (!parsed.success) {
        throw new ServiceFault({
          code: 'WAFInvalidParameterException',
          message: z.prettifyError(parsed.error),
        });
      }
      firewalls.update(acl.id, { rules: rulesOf(parsed.data), written });
      return { NextLockToken: firewalls.find(Id)?.lockToken };
    }),
  });
};
