import { element, queryService } from '../query-protocol.ts';

/** Reports every caller as the root user of the caller's account. */
export const stsService = () =>
  queryService({
    namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    deniedCode: 'AccessDenied',
    operations: {
      GetCallerIdentity: (_, { account }) =>
        element('Arn', `arn:aws:iam::${account}:root`) +
        element('UserId', account) +
        element('Account', account),
    },
  });
