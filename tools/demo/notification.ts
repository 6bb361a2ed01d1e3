import { setTimeout } from 'node:timers/promises';
import type { ApplicationUser } from '@marquee/client';
import type { UserNotification } from '@marquee/client/notifications';
import * as z from 'zod';
import { ChangedUsers } from '../../examples/receiver/changed-users.ts';
import { arrivalSeconds, startEndpoint } from './endpoint.ts';
import { type Chapter, eventually, expectSame, later, UnexpectedError } from './step.ts';
import { applicationOf, bodyOf, call, logIn, type World } from './world.ts';

/** Every run uses the same user, so that repeated runs do not fill a system with users. */
const user = 'demonstration-fan';
/** ISO 8601 without a time zone, with microseconds. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;

const startReader = async (world: World) => {
  const heard: UserNotification[] = [];
  const said: string[] = [];
  const users = new Map<string, ApplicationUser>();
  const changed = new ChangedUsers({
    apiUrl: world.outputs().api_url_b2b,
    apiKey: applicationOf(world, 'demo').api_key,
    onUser: (sub, read) => {
      if (read !== undefined) users.set(sub, read);
    },
    onError: (sub, error) => said.push(`${sub} could not be read: ${error}`),
  });
  // A user who is removed at the end is still read. Without a system that answers, this would be tried for ever.
  world.atEnd('Read the last changes', () =>
    Promise.race([changed.idle(), setTimeout(arrivalSeconds * 1_000, undefined, { ref: false })]),
  );
  const endpoint = await startEndpoint(world, {
    operationType: 'data_update',
    onNotification: (notification) => {
      if (notification.operation_type !== 'data_update') return;
      heard.push(notification);
      changed.changed(notification.application_user_sub);
    },
    said,
  });
  return { ...endpoint, heard, users };
};

type Reader = Awaited<ReturnType<typeof startReader>>;

export const notificationChapter = (world: World): Chapter => {
  const endpoint = later<Reader>();
  const token = later<string>();
  const sub = later<string>();
  const notification = later<UserNotification>();
  const email = `${world.run}@example.com`;
  const profile = () => world.outputs().api_url_profile;
  const { signal } = world;

  return {
    title: 'A customer is notified of a change',
    steps: [
      {
        title: 'Subscribe an endpoint',
        run: async () => {
          endpoint.set(await startReader(world));
          const { url, subscribe } = endpoint.get();
          await subscribe();
          return url;
        },
      },
      {
        title: 'Handshake',
        run: async () => {
          await endpoint.get().confirmed();
          return 'signature checked, SubscribeURL fetched';
        },
      },
      {
        title: 'A user logs in',
        run: async () => {
          token.set(await logIn(world, { user, clientId: applicationOf(world, 'demo').client_id }));
          return user;
        },
      },
      {
        title: 'The user changes data',
        run: async () => {
          const answer = await call(`${profile()}/user/data`, {
            method: 'PUT',
            token: token.get(),
            body: { user_data: { email, is_club: 'true', club_id: '7' } },
            signal,
          });
          const { user_data } = bodyOf(answer, {
            status: 200,
            schema: z.object({ user_data: z.object({ email: z.string() }) }),
          });
          expectSame({ expected: email, seen: user_data.email });
          const reported = await call(`${profile()}/user/reporter/application-user-sub`, {
            token: token.get(),
            signal,
          });
          const schema = z.object({ application_user_sub: z.string().min(1) });
          sub.set(bodyOf(reported, { status: 200, schema }).application_user_sub);
          return email;
        },
      },
      {
        title: 'The notification',
        run: async () => {
          const { heard, said } = endpoint.get();
          const ours = () => heard.find(({ application_user_sub }) => application_user_sub === sub.get());
          await eventually({
            look: () => ({ heard, said: said.at(-1) }),
            isExpected: () => ours() !== undefined,
            expected: `a notification of ${sub.get()}`,
            withinSeconds: arrivalSeconds,
            signal,
          });
          const found = ours();
          if (found !== undefined) notification.set(found);
          const { operation_type, application_user_sub, date_time, ...more } = notification.get();
          expectSame({
            expected: { operation_type: 'data_update', application_user_sub: sub.get(), more: {} },
            seen: { operation_type, application_user_sub, more },
          });
          if (!dateTime.test(date_time)) {
            throw new UnexpectedError({ expected: 'microseconds, no time zone', seen: date_time });
          }
          return `${operation_type}, ${application_user_sub.slice(0, 8)}…, ${date_time.slice(11)}`;
        },
      },
      {
        title: 'Read with the API key',
        run: async () => {
          const { users, said } = endpoint.get();
          await eventually({
            look: () => users.get(sub.get())?.user_data ?? said.at(-1),
            isExpected: () => users.get(sub.get())?.user_data.email === email,
            expected: { email },
            withinSeconds: arrivalSeconds,
            signal,
          });
          return email;
        },
      },
      {
        title: 'Refuse a wrong key',
        run: async () => {
          const answer = await call(`${world.outputs().api_url_b2b}/user-data/read`, {
            key: 'not-a-key',
            body: { application_user_sub: sub.get() },
            signal,
          });
          return `403 ${bodyOf(answer, { status: 403, schema: z.strictObject({ message: z.literal('Forbidden') }) }).message}`;
        },
      },
    ],
  };
};
