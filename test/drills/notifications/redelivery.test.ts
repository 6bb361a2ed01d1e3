import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type CustomerEndpoint,
  notificationsOf,
  type Posted,
} from '../../support/notifications/customer-endpoint.ts';
import { type DrivenStage, startDrivenStage } from '../../support/platform/driven-stage.ts';

let stage: DrivenStage;
beforeAll(async () => {
  stage = await startDrivenStage();
});
afterAll(() => stage.stop());

const patience = { interval: 50 };
const copiesOf = (endpoint: CustomerEndpoint): Posted[] =>
  notificationsOf(endpoint).filter(({ body }) => typeof body.application_user_sub === 'string');

/** Minutes pass until it holds. */
const within = async (minutes: number, holds: () => Promise<void> | void): Promise<void> => {
  for (let passed = 0; ; passed++) {
    try {
      return await waitFor(holds, { interval: 50, timeout: 2_000 });
    } catch (error) {
      if (passed === minutes) throw error;
      await stage.minute();
    }
  }
};

it('an endpoint receives each user once after a failure of some minutes, and a rejected user delays no other', async (context) => {
  const { users } = stage;
  const { id, clientId, apiKey } = await users.ownApplication('redelivered');
  let isUp = false;
  let refused: unknown;
  const statusOf = ({ body }: Posted): number => {
    if (body.Type === 'SubscriptionConfirmation') return 200;
    if (!isUp) return 404;
    return body.application_user_sub === refused ? 400 : 200;
  };
  const endpoint = await users.endpoint(context, statusOf);
  const living = await users.endpoint(context);
  for (const { url } of [endpoint, living]) {
    await users.operator('subscriptions', 'add', id, url);
  }
  for (const each of [endpoint, living]) await users.confirm(each);
  const redelivery = async () => {
    const { body } = await users.b2b<
      { address: string; redelivery: { state: string; undelivered: number } | null }[]
    >(apiKey, '/notifications/endpoints');
    return body.find(({ address }) => address === endpoint.url)?.redelivery;
  };

  const subs = Array.from({ length: 5 }, (_, index) => `missed-${index}`);
  for (const sub of [...subs, ...subs]) await users.put(sub, { at: Math.random() }, clientId);
  await waitFor(() => expect(copiesOf(endpoint).length).toBeGreaterThanOrEqual(10), patience);
  await waitFor(async () => expect(await redelivery()).toMatchObject({ state: 'waiting' }), patience);
  refused = copiesOf(living)[0]?.body.application_user_sub;
  // Ten messages, and then a probe for each step, which the endpoint refuses too.
  for (const heard of [11, 12]) {
    await within(15, () => expect(copiesOf(endpoint)).toHaveLength(heard));
  }
  const heardInOutage = copiesOf(endpoint).length;
  expect(await redelivery()).not.toBeNull();

  isUp = true;
  await users.put('ordinary', { at: 1 }, clientId);
  const accepted = () =>
    copiesOf(endpoint)
      .slice(heardInOutage)
      .map(({ body }) => body.application_user_sub)
      .filter((sub) => sub !== refused);
  await within(3, () => expect(new Set(accepted()).size).toBe(5));
  // Waits until all deliveries are recorded: a replay of failed notifications would rightly send the others once more.
  const recorded = async () => {
    type Told = { application_user_sub: string; deliveries: { endpoint: string; status: string }[] };
    const { body } = await users.b2b<Told[]>(apiKey, '/notifications?limit=100');
    return body.filter(({ deliveries }) =>
      deliveries.some((each) => each.endpoint === endpoint.url && each.status === 'delivered'),
    );
  };
  await waitFor(async () => expect(await recorded()).toHaveLength(5), patience);
  await users.operator('dead-letters', 'redrive');
  await users.b2b(apiKey, '/notifications/replay', {
    body: { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', status: 'failed' },
  });
  for (let minute = 0; minute < 3; minute++) await stage.minute();

  // Four users that it missed, and the ordinary change, once each.
  expect(accepted()).toHaveLength(5);
  expect(copiesOf(living)).toHaveLength(11);
  await waitFor(
    async () => expect(await redelivery()).toMatchObject({ state: 'waiting', undelivered: 1 }),
    patience,
  );
}, 180_000);
