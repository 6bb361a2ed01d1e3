import { createClient } from '@marquee/client';
import type { UserNotification } from '@marquee/client/notifications';
import * as z from 'zod';
import { findTarget } from '../../operator/platform/target/target.ts';
import { arrivalSeconds, startEndpoint } from './endpoint.ts';
import { removeFan } from './fans.ts';
import { type Chapter, eventually, expectSame, later } from './step.ts';
import { applicationOf, bodyOf, call, logIn, type World } from './world.ts';

const hourSeconds = 3_600;
const refusalSchema = z.object({ message: z.string() });
const identifierSchema = z.object({ application_user_sub: z.string() });

/** A fan takes a copy of everything, and leaves. */
export const accountChapter = (world: World): Chapter => {
  const user = `${world.run}-leaver`;
  const { signal } = world;
  const heard: UserNotification[] = [];
  const token = later<string>();
  const sub = later<string>();
  const demo = () => applicationOf(world, 'demo');
  const clientId = () => demo().client_id;

  const profile = (
    path: string,
    more: { readonly method?: 'PUT' | 'DELETE'; readonly token?: string; readonly body?: unknown } = {},
  ) => call(`${world.outputs().api_url_profile}${path}`, { token: token.get(), ...more, signal });
  const identifier = async (): Promise<string> => {
    const answer = await profile('/user/reporter/application-user-sub');
    return bodyOf(answer, { status: 200, schema: identifierSchema }).application_user_sub;
  };
  const register = async (user_data: Record<string, string>): Promise<void> => {
    const answer = await profile('/user/data', { method: 'PUT', body: { user_data } });
    bodyOf(answer, { status: 200, schema: z.object({}) });
  };
  const refused = async (
    given: string,
    { status, code }: { readonly status: number; readonly code: string },
  ) => {
    const answer = await profile('/user/data', { method: 'DELETE', token: given });
    expectSame({ expected: code, seen: bodyOf(answer, { status, schema: refusalSchema }).message });
    return `${status} ${code}`;
  };

  return {
    title: 'A fan takes everything along, and leaves',
    steps: [
      {
        title: 'A fan registers',
        run: async () => {
          world.atEnd('Remove the fan who left', async () =>
            removeFan(await findTarget({ stage: 'local', outputsFile: world.outputsFile() }), user),
          );
          token.set(await logIn(world, { user, clientId: clientId() }));
          await register({ email: `${user}@example.com` });
          sub.set(await identifier());
          return user;
        },
      },
      {
        title: 'A customer listens',
        run: async () => {
          const { url, subscribe, confirmed } = await startEndpoint(world, {
            operationType: 'data_update',
            onNotification: (notification) => {
              if (notification.operation_type === 'data_update') heard.push(notification);
            },
          });
          await subscribe();
          await confirmed();
          return url;
        },
      },
      {
        title: 'A copy of everything',
        run: async () => {
          const whole = await createClient({
            baseUrl: world.outputs().base_url,
            apiUrlProfile: world.outputs().api_url_profile,
            accessToken: token.get(),
          }).exportUser({ signal });
          expectSame({
            expected: [user, { email: `${user}@example.com` }],
            seen: [whole.user_sub, whole.user_data],
          });
          const own = whole.applications?.find((each) => each.application_user_sub === sub.get());
          return `the fan's data, and the identifier in ${own?.name}`;
        },
      },
      {
        title: 'What would go, and stay',
        run: async () => {
          const schema = z.object({
            user_data: z.array(z.string()),
            stays: z.array(z.object({ what: z.string() })),
          });
          const { user_data, stays } = bodyOf(await profile('/user/erasure'), { status: 200, schema });
          return `${user_data.join(', ')} would go; ${stays.length} things would stay`;
        },
      },
      {
        title: 'Another client',
        run: async () =>
          refused(await logIn(world, { user, clientId: 'somebody-else' }), {
            status: 403,
            code: 'CLIENT_NOT_ALLOWED',
          }),
      },
      {
        title: 'A login of an hour ago',
        run: async () => {
          const loggedInAt = Math.floor(Date.now() / 1_000) - hourSeconds;
          return refused(await logIn(world, { user, clientId: clientId(), loggedInAt }), {
            status: 401,
            code: 'INSUFFICIENT_USER_AUTHENTICATION',
          });
        },
      },
      {
        title: 'The fan leaves',
        run: async () => {
          const { status } = await profile('/user/data', { method: 'DELETE' });
          expectSame({ expected: 204, seen: status });
          return '204, by one call';
        },
      },
      {
        title: 'The customer hears it',
        run: async () => {
          const isOfFan = ({ application_user_sub }: UserNotification) => application_user_sub === sub.get();
          await eventually({
            look: () => heard,
            isExpected: (all) => all.some(isOfFan),
            expected: `a notification of ${sub.get()}`,
            withinSeconds: arrivalSeconds,
            signal,
          });
          const read = await call(`${world.outputs().api_url_b2b}/user-data/read`, {
            key: demo().api_key,
            body: { application_user_sub: sub.get() },
            signal,
          });
          const schema = z.object({ error_fields: z.literal('USER_NOT_FOUND') });
          return `reads 404 ${bodyOf(read, { status: 404, schema }).error_fields}`;
        },
      },
      {
        title: 'The fan comes back',
        run: async () => {
          await register({});
          const again = await identifier();
          expectSame({ expected: false, seen: again === sub.get() });
          return `as ${again.slice(0, 8)}…, a stranger`;
        },
      },
    ],
  };
};
