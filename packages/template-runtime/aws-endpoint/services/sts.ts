import { accountId } from '../../engines/account.ts';
import { element, queryService } from '../query-protocol.ts';

/** Shows every caller as the account's root user. Callers without a role of the template are the operator. */
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
