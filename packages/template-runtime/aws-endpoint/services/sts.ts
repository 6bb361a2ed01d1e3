import { accountId } from '../../engines/account.ts';
import { element, queryService } from '../query-protocol.ts';

/** Reports every caller as the account's root user. */
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
