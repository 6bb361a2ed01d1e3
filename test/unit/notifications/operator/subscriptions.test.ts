import { describe, expect, it } from 'vitest';
import {
  addSubscription,
  defaultRetries,
  findSubscription,
  hasOwnFilter,
  newSubscription,
  type SubscriptionOrder,
} from '../../../../operator/notifications/subscriptions/add-subscription.ts';
import { removeEndpoints } from '../../../../operator/notifications/subscriptions/remove-subscription.ts';
import type {
  NewSubscription,
  Subscription,
} from '../../../../operator/notifications/subscriptions/subscription.ts';
import { endedOf } from '../../../../operator/notifications/subscriptions/subscription.ts';
import { type Endpoint, withoutCredentials } from '../../../../shared/notifications/endpoints/endpoint.ts';
import { endpointFinder } from '../../../../shared/notifications/endpoints/find-endpoint.ts';

const order: SubscriptionOrder = {
  endpoint: 'https://club.example.com/notify',
  applicationId: 'club',
  endpointId: 'e1',
  operationTypes: ['data_update'],
  isEnveloped: false,
  retries: defaultRetries,
  maxReceivesPerSecond: undefined,
  deadLetterQueueArn: 'arn:aws:sqs:us-east-1:000000000000:dead-letters',
};

const aSubscription = (overrides: Partial<Subscription> = {}): Subscription => ({
  arn: 'arn:aws:sns:us-east-1:000000000000:topic:1',
  endpoint: 'https://shop.example.com/',
  state: 'confirmed',
  applicationId: 'shop',
  isRaw: true,
  hasFilterPolicy: true,
  maxReceivesPerSecond: undefined,
  ...overrides,
});

const aTopic = (existing: readonly Subscription[] = []) => {
  const added: NewSubscription[] = [];
  return {
    added,
    list: async () => [...existing],
    add: async (subscription: NewSubscription) => {
      added.push(subscription);
      return 'arn:new';
    },
    remove: async () => {},
  };
};

const adding = (
  topic: ReturnType<typeof aTopic>,
  filterPolicyQuota = 200,
  endpoints: Endpoint[] = [],
  calls: unknown[] = [],
) =>
  addSubscription({
    order,
    application: { id: 'club' },
    subscriptions: topic,
    endpoints: {
      list: async () => endpoints,
      save: async (endpoint) => void calls.push(['save', endpoint]),
      remove: async (key) => void calls.push(['remove', key]),
    },
    clock: () => 0,
    filterPolicyQuota,
  });

const parsed = (subscription: NewSubscription, name: string): unknown =>
  JSON.parse(subscription.attributes[name] ?? 'null');

describe('a new subscription', () => {
  it.each([
    'https://me:secret@club.example.com/',
    'https://me@club.example.com/',
    'http://:s@c.example.com/',
  ])(
    'is rejected when its address %s contains a user or a password, which the error does not repeat',
    (endpoint) => {
      expect(() => newSubscription({ ...order, endpoint })).toThrow(/user or a password/);
      expect(() => newSubscription({ ...order, endpoint })).not.toThrow(/secret/);
    },
  );

  it('of a queue has no delivery policy, because SNS decides by itself how it delivers to queues', () => {
    const endpoint = 'arn:aws:sqs:eu-west-1:111122223333:marquee';

    const { protocol, attributes } = newSubscription({ ...order, endpoint, isEnveloped: true });

    expect(protocol).toBe('sqs');
    expect(Object.keys(attributes)).not.toContain('DeliveryPolicy');
    expect(attributes).toMatchObject({
      RawMessageDelivery: 'false',
      FilterPolicy: expect.stringContaining('club/e1'),
      RedrivePolicy: expect.stringContaining('dead-letters'),
    });
  });

  it.each([
    ['arn:aws:sqs:eu-west-1:1111:marquee', 'is not the ARN of a queue'],
    ['arn:aws:sqs:eu-west-1:111122223333:marquee.fifo', 'is a FIFO queue'],
    ['arn:aws:lambda:eu-west-1:111122223333:function:f', 'neither an http or https address'],
  ])('is rejected for %s', (endpoint, why) => {
    expect(() => newSubscription({ ...order, endpoint })).toThrow(why);
  });

  it('is listed without the user and password in its address', () => {
    expect(withoutCredentials('https://me:secret@club.example.com/x')).toBe('https://***@club.example.com/x');
    expect(withoutCredentials('https://club.example.com')).toBe('https://club.example.com');
  });

  it('sets its filter, form, delivery and redrive policies in one call', async () => {
    const topic = aTopic();

    await adding(topic);

    const [subscription, ...more] = topic.added;
    expect(more).toEqual([]);
    expect(subscription).toMatchObject({ protocol: 'https', attributes: { RawMessageDelivery: 'true' } });
    const made = subscription ?? newSubscription(order);
    expect(parsed(made, 'FilterPolicy')).toEqual({
      application_id: ['club', expect.stringMatching(/^club\/[0-9a-f]{16}$/)],
      operation_type: ['data_update', 'test'],
    });
    expect(parsed(made, 'RedrivePolicy')).toEqual({ deadLetterTargetArn: order.deadLetterQueueArn });
    expect(parsed(made, 'DeliveryPolicy')).toEqual({
      healthyRetryPolicy: {
        minDelayTarget: 20,
        maxDelayTarget: 20,
        numRetries: 3,
        numNoDelayRetries: 0,
        numMinDelayRetries: 0,
        numMaxDelayRetries: 0,
        backoffFunction: 'linear',
      },
      requestPolicy: { headerContentType: 'application/json' },
    });
  });

  it('is enveloped and throttled if the customer asks for it', () => {
    const subscription = newSubscription({ ...order, isEnveloped: true, maxReceivesPerSecond: 5 });

    expect(subscription.attributes.RawMessageDelivery).toBe('false');
    expect(parsed(subscription, 'DeliveryPolicy')).toMatchObject({
      throttlePolicy: { maxReceivesPerSecond: 5 },
    });
  });

  it.each(['club.example.com', 'ftp://club.example.com', ''])(
    'is rejected for the address %j',
    (endpoint) => {
      expect(() => newSubscription({ ...order, endpoint })).toThrow(/is neither an http or https address/);
    },
  );

  it('is rejected if its endpoint is already subscribed, and names the application that has it', async () => {
    const topic = aTopic([aSubscription({ endpoint: order.endpoint })]);

    await expect(adding(topic)).rejects.toThrow(/is already subscribed for application shop/);
    expect(topic.added).toEqual([]);
  });

  it('is requested again for an endpoint that has not confirmed yet', async () => {
    const topic = aTopic([aSubscription({ endpoint: order.endpoint, state: 'pending', arn: undefined })]);

    await expect(adding(topic)).resolves.toMatchObject({ arn: 'arn:new', filterPolicies: 1 });
  });
});

const anEndpoint = (overrides: Partial<Endpoint> = {}): Endpoint => ({
  applicationId: 'club',
  id: 'e1',
  destination: order.endpoint,
  isEnveloped: false,
  operationTypes: ['data_update'],
  createdAt: -5,
  ...overrides,
});

describe('the address of an endpoint', () => {
  it('is taken from the endpoints of other applications that have not been removed', async () => {
    const calls: unknown[] = [];
    const others = [
      anEndpoint({ applicationId: 'wrong', id: 'e2' }),
      anEndpoint({ applicationId: 'left', id: 'e3', removedAt: -1 }),
      anEndpoint({ applicationId: 'shop', destination: 'https://shop.example.com/' }),
    ];

    const { takenFrom, endpointId } = await adding(aTopic(), 200, others, calls);

    expect(takenFrom).toEqual(['wrong']);
    expect(calls).toEqual([
      ['remove', { applicationId: 'wrong', id: 'e2', at: 0 }],
      ['save', expect.objectContaining({ applicationId: 'club', id: endpointId })],
    ]);
  });

  it('leads to the endpoint that is subscribed, or was last, in whatever order endpoints are listed', async () => {
    const endpoints = [
      anEndpoint({ id: 'live', createdAt: 1 }),
      anEndpoint({ id: 'newer', createdAt: 2 }),
      anEndpoint({ id: 'removed', createdAt: 3, removedAt: 4 }),
      anEndpoint({ id: 'removed last', createdAt: 3, removedAt: 5 }),
    ];
    const found = async (listed: readonly Endpoint[]) =>
      (await endpointFinder({ endpoints: { list: async () => [...listed] }, clock: () => 0 })(order.endpoint))
        ?.id;

    for (const listed of [endpoints, endpoints.toReversed()]) expect(await found(listed)).toBe('newer');
    const left = endpoints.slice(2);
    for (const listed of [left, left.toReversed()]) expect(await found(listed)).toBe('removed last');
  });
});

describe('an endpoint that is added again', () => {
  const saved = async (...known: Endpoint[]) => {
    const calls: unknown[] = [];
    await adding(aTopic(), 200, known, calls);
    return calls;
  };

  it.each([
    ['anew after another application had its address', -1, 0],
    ['since it was first added if another application had its address only before that', -6, -5],
  ])('has its address %s', async (_, removedAt, createdAt) => {
    const other = anEndpoint({ applicationId: 'shop', id: 'e2', createdAt: -7, removedAt });

    expect(await saved(anEndpoint(), other)).toEqual([['save', anEndpoint({ createdAt })]]);
  });

  it('fails as before if its subscription ended while it failed, so that it is sent what it missed', async () => {
    const failing = { failingSince: -3 };

    expect(await saved(anEndpoint(failing))).toEqual([['save', anEndpoint(failing)]]);
  });

  it('does not fail if it was removed', async () => {
    const removed = anEndpoint({ failingSince: -3, removedAt: -1 });

    expect(await saved(removed)).toEqual([['save', anEndpoint()]]);
  });
});

describe('the removal of all endpoints of an application', () => {
  it('ends its subscriptions, and names the addresses whose subscription is pending', async () => {
    const calls: unknown[] = [];
    const endpoints = [
      anEndpoint({ id: 'e1' }),
      anEndpoint({ id: 'e2', destination: 'https://pending.example.com/' }),
      anEndpoint({ id: 'e3', removedAt: -1 }),
    ];

    const pending = await removeEndpoints(
      {
        subscriptions: {
          list: async () => [
            aSubscription({ arn: 'arn:1', endpoint: order.endpoint, applicationId: 'club' }),
            aSubscription({ arn: 'arn:2' }),
            ...['https://pending.example.com/', 'https://other.example.com/'].map((endpoint) =>
              aSubscription({ arn: undefined, applicationId: undefined, state: 'pending', endpoint }),
            ),
          ],
          remove: async (arn) => void calls.push(arn),
        },
        endpoints: {
          ofApplication: async () => endpoints,
          remove: async ({ id }) => void calls.push(id),
        },
        clock: () => 0,
      },
      'club',
    );

    expect([calls, pending]).toEqual([['arn:1', 'e1', 'e2'], ['https://pending.example.com/']]);
  });
});

describe('the filter of an endpoint', () => {
  it('is its own if SNS has the one with which the endpoint was added', () => {
    const endpoint: Endpoint = { ...order, id: order.endpointId, destination: order.endpoint, createdAt: 0 };
    const own = parsed(newSubscription(order), 'FilterPolicy');
    const others = [
      undefined,
      parsed(newSubscription({ ...order, endpointId: 'e2' }), 'FilterPolicy'),
      parsed(newSubscription({ ...order, operationTypes: ['token_update'] }), 'FilterPolicy'),
    ];

    expect(hasOwnFilter({ filterPolicy: own }, endpoint)).toBe(true);
    expect(others.map((filterPolicy) => hasOwnFilter({ filterPolicy }, endpoint))).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('the quota of filter policies', () => {
  const full = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      aSubscription({ endpoint: `https://c${index}.example.com/` }),
    );

  it('causes no warning up to the 159th filter policy', async () => {
    expect((await adding(aTopic(full(158)))).warning).toBeUndefined();
  });

  it('causes a warning from the 160th filter policy on', async () => {
    expect((await adding(aTopic(full(159)))).warning).toMatch(/160 of 200/);
  });

  it('allows the 200th filter policy and rejects the next', async () => {
    await expect(adding(aTopic(full(199)))).resolves.toMatchObject({ filterPolicies: 200 });
    const topic = aTopic(full(200));
    await expect(adding(topic)).rejects.toThrow(/has 200 filter policies/);
    expect(topic.added).toEqual([]);
  });

  it('does not count subscriptions without a filter policy', async () => {
    const existing = full(200).map((each) => ({ ...each, hasFilterPolicy: false }));

    await expect(adding(aTopic(existing))).resolves.toMatchObject({ filterPolicies: 1 });
  });
});

describe('the search for a subscription', () => {
  it('accepts its ARN and its address', async () => {
    const topic = aTopic([aSubscription()]);

    const byArn = await findSubscription(topic, 'arn:aws:sns:us-east-1:000000000000:topic:1');
    const byAddress = await findSubscription(topic, 'https://shop.example.com/');

    expect(byAddress).toEqual(byArn);
  });

  it('fails for a subscription that was never confirmed, and names that reason', async () => {
    const topic = aTopic([aSubscription({ state: 'pending', arn: undefined })]);

    await expect(findSubscription(topic, 'https://shop.example.com/')).rejects.toThrow(/was never confirmed/);
  });
});

describe('the list of endpoints whose subscription has ended', () => {
  it('contains endpoints that SNS no longer lists and that the operator has not removed', () => {
    const endpoint = {
      applicationId: 'shop',
      id: 'e1',
      isEnveloped: true,
      operationTypes: ['data_update'] as const,
      createdAt: 0,
    };
    const [subscribed, ended, removed] = [
      { ...endpoint, destination: 'https://shop.example.com/' },
      { ...endpoint, destination: 'https://ended.example.com/' },
      { ...endpoint, destination: 'https://removed.example.com/', removedAt: 1 },
    ];

    expect(endedOf([subscribed, ended, removed], [aSubscription()])).toEqual([ended]);
  });
});
