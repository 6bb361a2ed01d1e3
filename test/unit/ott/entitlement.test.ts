import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpEntitlementService } from '../../../shared/ott/outside/http-entitlement-service.ts';
import {
  answers,
  type Behaviour,
  dropsTheConnection,
  hangs,
  redirectsTo,
  stallsInTheBody,
  startTinyServer,
  type TinyServer,
} from '../../support/ott/tiny-server.ts';

const question = { userSub: 'anna', clientId: 'web', eventId: 'final' };
const granted = { decision: 'success', vip: false };

const quiet = { warn: () => {}, info: () => {} };

describe('the client of the entitlement service', () => {
  let server: TinyServer;
  let elsewhere: TinyServer;
  beforeAll(async () => {
    [server, elsewhere] = await Promise.all([startTinyServer(), startTinyServer()]);
  });
  afterAll(async () => {
    await Promise.all([server[Symbol.asyncDispose](), elsewhere[Symbol.asyncDispose]()]);
  });

  const setUp = (...behaviours: readonly Behaviour[]) => {
    server.behave(...behaviours);
    const logged: unknown[] = [];
    const secret = { key: 'first', refreshes: 0 };
    const service = httpEntitlementService({
      url: server.url,
      secret: {
        read: async () => ({ api_key: secret.key }),
        refresh: async () => {
          secret.refreshes += 1;
          secret.key = 'second';
          return { api_key: secret.key };
        },
      },
      logger: { ...quiet, error: (message, fields) => logged.push({ message, ...fields }) },
      // A service that hangs times out soon. One that answers gets enough time even on a busy machine.
      timeoutMilliseconds: behaviours.some((each) => each === hangs || each === stallsInTheBody)
        ? 700
        : 20_000,
    });
    return { service, logged, secret };
  };

  it('sends the question in the agreed form, with the API key', async () => {
    const { service } = setUp(answers(granted));

    await service.check(question);

    expect(server.received).toHaveLength(1);
    const [{ method, path, headers, body } = {}] = server.received;
    expect({ method, path }).toEqual({ method: 'POST', path: '/v1/check' });
    expect(headers).toMatchObject({ 'x-api-key': 'first', 'content-type': 'application/json' });
    expect(JSON.parse(body ?? '')).toEqual({ user_sub: 'anna', client_id: 'web', event_id: 'final' });
  });

  it('omits event_id when the question is about no event', async () => {
    const { service } = setUp(answers(granted));

    await service.check({ userSub: 'anna', clientId: 'web' });

    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ user_sub: 'anna', client_id: 'web' });
  });

  it.each([
    [granted, { outcome: 'success', vip: false }],
    [
      { decision: 'success', vip: false, seller: 'arena' },
      { outcome: 'success', vip: false, seller: 'arena' },
    ],
    [
      { decision: 'success', vip: false, seller: null },
      { outcome: 'success', vip: false },
    ],
    [
      { decision: 'success', vip: true, since: 2024 },
      { outcome: 'success', vip: true },
    ],
    [
      { decision: 'denied', reason: 'no_purchase', vip: false },
      { outcome: 'denied', reason: 'no_purchase', vip: false },
    ],
    [
      { decision: 'denied', reason: 'denied', vip: true },
      { outcome: 'denied', reason: 'denied', vip: true },
    ],
    [
      { decision: 'denied', reason: 'mood', vip: false },
      { outcome: 'denied', reason: 'denied', vip: false },
    ],
    [
      { decision: 'denied', vip: false },
      { outcome: 'denied', reason: 'denied', vip: false },
    ],
  ])('parses the answer %j', async (answer, expected) => {
    const { service } = setUp(answers(answer));

    expect(await service.check(question)).toEqual(expected);
  });

  const hanging: Record<string, Behaviour> = {
    'does not answer': hangs,
    'stalls in the middle of its answer': stallsInTheBody,
  };

  it.each(Object.entries(hanging))(
    'does not retry when the service %s, and opens the circuit for a while',
    async (_, behaviour) => {
      const { service, logged } = setUp(behaviour);

      expect(await service.check(question)).toEqual({ outcome: 'unavailable' });
      expect(await service.check(question)).toEqual({ outcome: 'unavailable' });

      expect(server.received).toHaveLength(1);
      // A call that was tried twice would have logged an AggregateError.
      expect(logged).toMatchObject([
        { code: 'ENTITLEMENT_UNAVAILABLE', error: expect.objectContaining({ name: 'TimeoutError' }) },
        { code: 'ENTITLEMENT_UNAVAILABLE', error: expect.objectContaining({ name: 'CircuitOpenError' }) },
      ]);
    },
  );

  const failures: Record<string, Behaviour> = {
    'drops the connection': dropsTheConnection,
    'answers 500': answers(granted, { status: 500 }),
    'answers 204': answers('', { status: 204 }),
    'answers 429': answers(granted, { status: 429 }),
    'answers a page of HTML': answers('<html>Welcome</html>', { type: 'text/html' }),
    'calls JSON something else': answers(granted, { type: 'text/plain' }),
    'answers broken JSON': answers('{"decision":"success","vip":fal'),
    'answers nothing': answers(''),
    'answers null': answers('null'),
    'answers an unknown decision': answers({ decision: 'yes', vip: false }),
    'leaves out vip': answers({ decision: 'success' }),
    'answers vip as text': answers({ decision: 'success', vip: 'true' }),
    'answers without end': answers(`{"decision":"success","vip":false,"padding":"${'x'.repeat(200_000)}"}`),
  };

  it.each(Object.entries(failures))(
    'retries once when the service %s, and then reports it as unavailable',
    async (_, behaviour) => {
      const { service, logged } = setUp(behaviour);

      expect(await service.check(question)).toEqual({ outcome: 'unavailable' });
      expect(server.received).toHaveLength(2);
      expect(logged).toMatchObject([{ code: 'ENTITLEMENT_UNAVAILABLE' }]);
    },
  );

  it.each(Object.entries(failures))(
    'succeeds when the service %s only the first time',
    async (_, behaviour) => {
      const { service, logged } = setUp(behaviour, answers(granted));

      expect(await service.check(question)).toEqual({ outcome: 'success', vip: false });
      expect(logged).toEqual([]);
    },
  );

  it('does not follow redirects, which would send the API key to another host', async () => {
    elsewhere.behave(answers(granted));
    const { service } = setUp(redirectsTo(`${elsewhere.url}/v1/check`));

    expect(await service.check(question)).toEqual({ outcome: 'unavailable' });
    expect(elsewhere.received).toEqual([]);
  });

  it('reads the secret again and retries when the service refuses the API key', async () => {
    const { service, secret } = setUp(answers({}, { status: 401 }), answers(granted));

    expect(await service.check(question)).toEqual({ outcome: 'success', vip: false });
    expect(secret.refreshes).toBe(1);
    expect(server.received.map(({ headers }) => headers['x-api-key'])).toEqual(['first', 'second']);
  });

  it('reports the service as unavailable after one time-out of reading the secret', async () => {
    let reads = 0;
    const late = async () => {
      reads += 1;
      throw new DOMException('Too late', 'TimeoutError');
    };
    const service = httpEntitlementService({
      url: server.url,
      secret: { read: late, refresh: late },
      logger: { ...quiet, error: () => {} },
    });

    expect(await service.check(question)).toEqual({ outcome: 'unavailable' });
    expect(reads).toBe(1);
  });

  it('reports the service as unavailable when the secret cannot be read', async () => {
    const logged: unknown[] = [];
    const unreadable = async () => {
      throw new Error('no such secret');
    };
    const service = httpEntitlementService({
      url: server.url,
      secret: { read: unreadable, refresh: unreadable },
      logger: { ...quiet, error: (message) => logged.push(message) },
    });

    expect(await service.check(question)).toEqual({ outcome: 'unavailable' });
    expect(logged).toHaveLength(1);
  });
});
