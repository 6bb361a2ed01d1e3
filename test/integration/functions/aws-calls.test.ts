import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aContext, anApiEvent } from '../../support/api-event.ts';
import { anApplication } from '../../support/applications.ts';
import {
  type AwsAnswer,
  answering,
  byOperation,
  operationOf,
  silent,
  startScriptedAws,
} from '../../support/scripted-aws.ts';

/**
 * Functions as they are deployed, from their environment to the wire, beside services of AWS that fail in every way.
 */
let aws: Awaited<ReturnType<typeof startScriptedAws>>;

beforeAll(async () => {
  aws = await startScriptedAws();
  vi.stubEnv('AWS_REGION', aws.settings.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKID');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  vi.stubEnv('AWS_ENDPOINT_URL', aws.settings.endpoint);
});

beforeEach(() => vi.resetModules());

afterEach(() => vi.useRealTimers());

afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

const setEnvironment = (environment: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
};

const asked = (operation: string) => aws.calls().filter((call) => operationOf(call) === operation);

/** What is left of a function's time, of which it keeps half a second for its answer. */
const contextOf = (milliseconds: number) => aContext({ getRemainingTimeInMillis: () => milliseconds });

/** The calling application; anything else is not found. */
const applicationsTable: AwsAnswer = (outgoing, call) => {
  const { pk } = JSON.parse(call.body).Key;
  const items: Readonly<Record<string, object>> = {
    'API_KEY#key-one': { application_id: 'one' },
    'APPLICATION#one': anApplication(),
  };
  const item = items[pk?.S];
  answering(200, item === undefined ? {} : { Item: marshall(item) })(outgoing, call);
};

const xml = (body: string): AwsAnswer => answering(200, body, { 'content-type': 'text/xml' });

const pageOfSubscriptions = xml(
  '<ListSubscriptionsByTopicResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><ListSubscriptionsByTopicResult>' +
    '<NextToken>more</NextToken><Subscriptions/></ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>',
);

const topicArn = 'arn:aws:sns:eu-central-1:000000000000:topic';

const listEndpoints = async (milliseconds: number) => {
  setEnvironment({
    APPLICATIONS_TABLE: 'Applications',
    NOTIFICATIONS_TABLE: 'Notifications',
    ENDPOINTS_TABLE: 'Endpoints',
    TOPIC_ARN: topicArn,
    CURSOR_SECRET_ARN: 'cursor',
    PUBLIC_BASE_URL: 'https://api.example.com',
  });
  const { handler } = await import('../../../functions/notifications/show-notifications/index.ts');
  const event = anApiEvent({ resource: '/notifications/endpoints', apiKeyId: 'key-one' });
  return handler(event, contextOf(milliseconds));
};

describe('the list of endpoints', () => {
  /** Asks, and has the request's time end, but not the function's, once SNS is asked and `ends` says so. */
  const listUntil = async (answer: AwsAnswer, ends: (asked: number) => boolean) => {
    const ended = Promise.withResolvers<void>();
    aws.answer(
      byOperation({
        GetItem: applicationsTable,
        Query: answering(200, { Items: [] }),
        ListSubscriptionsByTopic: (outgoing, call) => {
          if (ends(asked('ListSubscriptionsByTopic').length)) ended.resolve();
          answer(outgoing, call);
        },
      }),
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const listing = listEndpoints(60_000);
    await ended.promise;
    vi.advanceTimersByTime(59_500);
    return listing;
  };

  it('ends with its request when SNS says nothing', async () => {
    const { statusCode, headers } = await listUntil(silent, () => true);

    expect(statusCode).toBe(503);
    expect(headers?.['retry-after']).toMatch(/^\d+$/);
    expect(asked('ListSubscriptionsByTopic')).toHaveLength(1);
  });

  it('ends with its request when SNS has page after page', async () => {
    const { statusCode } = await listUntil(pageOfSubscriptions, (pages) => pages === 3);

    expect(statusCode).toBe(503);
  });
});

describe('the exchange of user subs', () => {
  const exchange = async () => {
    setEnvironment({ USERS_TABLE: 'Users', SUBS_TABLE: 'Subs', APPLICATIONS_TABLE: 'Applications' });
    const { handler } = await import('../../../functions/users/exchange-user-subs/index.ts');
    const event = anApiEvent({
      method: 'POST',
      resource: '/vendor/user-subs/get',
      apiKeyId: 'key-one',
      headers: { 'content-type': 'application/json' },
      body: { user_subs: ['ana'] },
    });
    return handler(event, contextOf(10_000));
  };

  /** Leaves all unread that it is asked for. */
  const readsNothing: AwsAnswer = (outgoing, call) => {
    const { RequestItems } = JSON.parse(call.body);
    answering(200, { Responses: {}, UnprocessedKeys: RequestItems })(outgoing, call);
  };

  it('is answered once DynamoDB is throttled no more', async () => {
    let throttledUntil: number | undefined;
    const readsLater: AwsAnswer = (outgoing, call) => {
      throttledUntil ??= performance.now() + 60;
      if (performance.now() < throttledUntil) return readsNothing(outgoing, call);
      const { RequestItems } = JSON.parse(call.body);
      const Responses = Object.fromEntries(Object.keys(RequestItems).map((table) => [table, []]));
      answering(200, { Responses, UnprocessedKeys: {} })(outgoing, call);
    };
    aws.answer(byOperation({ GetItem: applicationsTable, BatchGetItem: readsLater }));

    const { statusCode, body } = await exchange();

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({ user_subs: [{ user_sub: 'ana', application_user_sub: null }] });
  });

  it('is refused with 503 while DynamoDB stays throttled', async () => {
    aws.answer(byOperation({ GetItem: applicationsTable, BatchGetItem: readsNothing }));

    const { statusCode, headers } = await exchange();

    expect(statusCode).toBe(503);
    expect(headers?.['retry-after']).toMatch(/^\d+$/);
  });
});

describe('a replay that is not done with in time', () => {
  it('is put off when SQS answers as it does, with an empty body', async () => {
    setEnvironment({
      NOTIFICATIONS_TABLE: 'Notifications',
      ENDPOINTS_TABLE: 'Endpoints',
      TOPIC_ARN: topicArn,
      REPLAYS_QUEUE_URL: `${aws.settings.endpoint}/000000000000/replays`,
    });
    const now = Date.now();
    const replay = {
      application_id: 'one',
      replay_id: 'a',
      endpoint_id: 'e',
      from: now - 2_000,
      to: now - 1_000,
      started_at: now,
      looked: 0,
      published: 0,
    };
    aws.answer(
      byOperation({
        GetItem: answering(200, { Item: marshall(replay) }),
        UpdateItem: answering(200, {}),
        DeleteItem: answering(200, {}),
        ChangeMessageVisibility: answering(200, ''),
      }),
    );
    const { handler } = await import('../../../functions/notifications/run-replays/index.ts');
    const record = {
      messageId: 'm',
      receiptHandle: 'r',
      body: JSON.stringify({ application_id: 'one', replay_id: 'a' }),
    };

    const answer = await handler({ Records: [record] } as never, contextOf(1_000));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm' }] });
    expect(asked('ChangeMessageVisibility')).toHaveLength(1);
  });
});
