import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { sendTest } from '../../../../shared/notifications/messages/send-test.ts';
import { startReplay } from '../../../../shared/notifications/replay/start-replay.ts';
import { httpFunction } from '../../../../shared/platform/http/http-function.ts';
import { logger } from '../../../../shared/platform/logger.ts';
import { UserChangedMeanwhileError } from '../../../../shared/users/errors.ts';
import { userDataChangeSchema } from '../../../../shared/users/http/requests.ts';
import { putUserData } from '../../../../shared/users/put-user-data.ts';
import { type ApiEventProps, aContext, anApiEvent } from '../../../support/ott/api-event.ts';

const anna = 'anna@example.com';

const logged = vi.spyOn(logger, 'info').mockImplementation(() => {});
afterEach(() => logged.mockClear());

/** Calls the function. Returns its response, and the reason that it has logged. */
const refusedBy = async (handler: ReturnType<typeof httpFunction>, event: ApiEventProps) => {
  const { statusCode, body } = await handler(anApiEvent({ method: 'POST', ...event }), aContext());
  const lines = JSON.stringify(logged.mock.calls);
  return { status: statusCode, json: JSON.parse(body), lines };
};

const storing = httpFunction({
  body: userDataChangeSchema,
  handler: async ({ body }) => ({ status: 200, body }),
});
const listing = httpFunction({ query: z.object({}), handler: async () => ({ status: 204 }) });

describe('the log of a refused request', () => {
  it.each([
    ['an unknown field', `{"${anna}":1}`, anna, 'Unknown field'],
    ['an integer', `{"user_data":{"${anna}":{"n":12345678901234567890}}}`, `user_data.${anna}.n`, 'integer'],
    ['an unknown integer', `{"${anna}":12345678901234567890}`, anna, 'integer'],
    ['a reserved key', `{"user_data":{"${anna}":{"__proto__":1}}}`, `user_data.${anna}.__proto__`, 'as keys'],
    [
      'a reserved key in agreements',
      `{"user_agreements":[{"${anna}":{"prototype":1}}]}`,
      `user_agreements[0].${anna}.prototype`,
      'as keys',
    ],
  ])(
    'does not have the names that a caller chose for %s; the response has them',
    async (_, body, path, reason) => {
      const { status, json, lines } = await refusedBy(storing, { body });

      expect(status).toBe(400);
      expect(json.errors.map((issue: { path: string }) => issue.path)).toEqual([path]);
      expect(lines).toContain(reason);
      expect(lines).not.toContain(anna);
    },
  );

  it('does not have the name of a repeated parameter; the response has it', async () => {
    const { json, lines } = await refusedBy(listing, { query: { [anna]: ['1', '2'] } });

    expect(json.errors).toEqual([{ path: anna, message: 'Must not be repeated' }]);
    expect(lines).toContain('Must not be repeated');
    expect(lines).not.toContain(anna);
  });

  it('does not have the content type of the request', async () => {
    const { status, lines } = await refusedBy(storing, { body: '{}', headers: { 'content-type': anna } });

    expect(status).toBe(415);
    expect(lines).toContain('UNSUPPORTED_MEDIA_TYPE');
    expect(lines).not.toContain(anna);
  });

  const notUsed = async () => expect.unreachable();
  const none = { ofApplication: async () => [] };
  const clock = () => Date.parse('2026-11-20T12:00:20Z');

  it.each([
    [
      'the user whose data changed meanwhile',
      'CONFLICT',
      () =>
        putUserData(
          {
            users: {
              latest: async () => ({ user: undefined, ended: undefined }),
              save: async () => {
                throw new UserChangedMeanwhileError();
              },
            },
            subs: { ensure: notUsed },
            clock,
          },
          { userSub: anna, applicationId: 'club', change: { data: {}, agreements: undefined } },
        ),
    ],
    [
      'the endpoint of a test',
      'ENDPOINT_NOT_FOUND',
      () =>
        sendTest(
          {
            endpoints: none,
            subscriptions: { ofAll: async () => new Map() },
            topic: { publish: notUsed },
            testCounts: { count: notUsed },
            clock,
            randomSub: () => 'nobody',
          },
          { applicationId: 'club', endpointId: anna },
        ),
    ],
    [
      'the endpoint of a replay',
      'ENDPOINT_NOT_FOUND',
      () =>
        startReplay(
          {
            endpoints: none,
            replays: { find: notUsed, keep: notUsed, open: notUsed, opened: notUsed, close: notUsed },
            enqueue: notUsed,
            clock,
            randomId: () => 'replay',
          },
          { order: { applicationId: 'club', from: 0, to: 1, endpointId: anna } },
        ),
    ],
  ])('does not name %s', async (_, code, act) => {
    const failing = httpFunction({ handler: async () => ({ status: 200, body: await act() }) });

    const { json, lines } = await refusedBy(failing, {});

    expect(json.message).toBe(code);
    expect(lines).toContain(code);
    expect(lines).not.toContain(anna);
  });
});
