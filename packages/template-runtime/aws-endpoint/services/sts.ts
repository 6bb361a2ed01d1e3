import { accountId } from '../../engines/account.ts';
import { element, queryService } from '../query-protocol.ts';

/** Names the account's root user as the caller, because any caller without a role of the template is the operator. */
export const stsService = () =>
  queryService({
    namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    deniedCode: 'AccessDenied',
    operations: {
      GetCallerIdentity: () =>
        element('Arn', `arn:aws:iam::${accountId}:root`) +
        element('UserId', accountId) +
        element('Account', accountId),
    },
  });
