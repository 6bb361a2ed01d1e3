import { operation } from '../../platform/http/operation.ts';
import { erasurePreviewSchema } from './answers.ts';

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
