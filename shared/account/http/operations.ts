import { operation } from '../../platform/http/operation.ts';
import { erasuresPerDay } from '../erase-user.ts';
import { freshLoginSeconds } from '../fresh-login.ts';
import { erasurePreviewSchema } from './answers.ts';
import { exportPageSchema } from './export-answers.ts';
import { exportQuerySchema } from './requests.ts';

const account = { api: 'profile', tag: 'Account', security: 'access-token', cors: true } as const;

const allowed =
  'Only for clients that the operator has allowed to make calls about a user’s whole account; others get a 403 `CLIENT_NOT_ALLOWED`.';

export const previewErasureOperation = operation({
  ...account,
  operationId: 'previewErasure',
  method: 'GET',
  route: '/user/erasure',
  summary: 'See what an erasure of the user of the access token would delete',
  description: `Changes nothing. ${allowed}`,
  success: { status: 200, description: 'What would go, and what would stay', body: erasurePreviewSchema },
  errors: ['UNAUTHORIZED', 'CLIENT_NOT_ALLOWED', 'USER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const exportUserOperation = operation({
  ...account,
  operationId: 'exportUser',
  method: 'GET',
  route: '/user/export',
  summary: 'Get all that is stored of the user of the access token',
  description: [
    'The first page has everything but the tokens, and the first tokens. Each further page has only tokens. A page may have few tokens, or none, without being the last. The last page has no `Link` header.',
    'Other users are null. A token that the user has given away shows only the user’s own part of its history.',
    'What changes between two pages may be missing, or be shown as it was before.',
    allowed,
  ].join(' '),
  query: exportQuerySchema,
  success: {
    status: 200,
    description: 'A page of the export',
    body: exportPageSchema,
    headers: { Link: 'The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page' },
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'CLIENT_NOT_ALLOWED', 'USER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const eraseUserOperation = operation({
  ...account,
  operationId: 'eraseUser',
  method: 'DELETE',
  route: '/user/data',
  summary: 'Erase the user of the access token',
  description: [
    'Deletes the user’s data, agreements and identifiers at once, and the user’s wallets within seconds. `GET /user/erasure` shows what stays.',
    'Applications that know the user are notified, and their next read gets a 404. A repeated call also gets a 204, also of a user who is not registered. A user who registers again has new identifiers.',
    `The user must have logged in during the last ${freshLoginSeconds / 60} minutes (\`auth_time\` of the access token). Otherwise the call gets a 401 \`INSUFFICIENT_USER_AUTHENTICATION\`, whose \`WWW-Authenticate\` names \`max_age\` (RFC 9470).`,
    `A user can do this at most ${erasuresPerDay} times in a day.`,
    allowed,
  ].join(' '),
  success: { status: 204, description: 'The user is not registered' },
  errors: [
    'UNAUTHORIZED',
    'INSUFFICIENT_USER_AUTHENTICATION',
    'CLIENT_NOT_ALLOWED',
    'CONFLICT',
    'TOO_MANY_ERASURES',
    'SERVICE_UNAVAILABLE',
  ],
});
