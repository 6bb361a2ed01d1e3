import * as z from 'zod';
import type { Identities } from '../engines/iam/types.ts';
import type { AwsAnswer, AwsRequest } from './request.ts';

const newUser = z.strictObject({ name: z.string().regex(/^[\w+=,.@-]{1,64}$/), policy: z.unknown() });

export const usersPath = '/_users';

const answer = (status: number, body: unknown): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const created = (identities: Pick<Identities, 'createUser'>, body: Buffer): AwsAnswer => {
  try {
    const { name, policy } = newUser.parse(JSON.parse(body.toString('utf8')));
    return answer(201, identities.createUser({ name, policy }));
  } catch (error) {
    return answer(400, { message: error instanceof Error ? error.message : String(error) });
  }
};

/**
 * Answers requests to `/_users` on the port for AWS calls; the path is the runtime's own, not AWS's. POST creates a
 * user with the given policy and returns the user's credentials. GET with `?accessKeyId=` returns that user's calls,
 * and whether each was allowed.
 */
export const answerUsers = (
  identities: Pick<Identities, 'requestsOf' | 'createUser'>,
  request: AwsRequest,
): AwsAnswer => {
  if (request.method === 'POST') return created(identities, request.body);
  if (request.method === 'GET') {
    return answer(200, identities.requestsOf(request.query.get('accessKeyId') ?? ''));
  }
  return answer(405, { message: `${usersPath} supports only GET and POST` });
};
