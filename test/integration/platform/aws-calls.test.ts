import { createHash } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aContext, anApiEvent } from '../../support/ott/api-event.ts';
import { anApplication } from '../../support/platform/applications.ts';
import {
  type AwsAnswer,
  answering,
  byOperation,
  operationOf,
  refusing,
  silent,
  startScriptedAws,
} from '../../support/platform/scripted-aws.ts';

/**
 * Runs the deployed functions, from their environment variables to their HTTP requests, against AWS services that fail
 * in every way.
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

/** A context with this much of the function's time left. The function reserves half a second of it for its answer. */
const contextOf = (milliseconds: number) => aContext({ getRemainingTimeInMillis: () => milliseconds });

/** Finds the calling application and its API key, and no other item. */
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
  });
  const { handler } = await import('../../../functions/notifications/show-notifications/index.ts');
  const event = anApiEvent({ resource: '/notifications/endpoints', apiKeyId: 'key-one' });
  return handler(event, contextOf(milliseconds));
};

describe('the call that lists endpoints', () => {
  /**
   * Lists the endpoints. The time of the request, though not of the function, ends during the SNS call for which `ends`
   * is true.
   */
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

  it('answers 503 at its deadline when SNS does not respond', async () => {
    const { statusCode, headers } = await listUntil(silent, () => true);

    expect(statusCode).toBe(503);
    expect(headers?.['retry-after']).toMatch(/^\d+$/);
    expect(asked('ListSubscriptionsByTopic')).toHaveLength(1);
  });

  it('answers 503 at its deadline when SNS returns page after page', async () => {
    const { statusCode } = await listUntil(pageOfSubscriptions, (pages) => pages === 3);

    expect(statusCode).toBe(503);
  });
});

describe('the call that translates user ids of the identity provider into those of the application', () => {
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

  /** Leaves all requested keys unprocessed. */
  const readsNothing: AwsAnswer = (outgoing, call) => {
    const { RequestItems } = JSON.parse(call.body);
    answering(200, { Responses: {}, UnprocessedKeys: RequestItems })(outgoing, call);
  };

  it('is answered once DynamoDB no longer throttles', async () => {
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

  it('answers 503 while DynamoDB continues to throttle', async () => {
    aws.answer(byOperation({ GetItem: applicationsTable, BatchGetItem: readsNothing }));

    const { statusCode, headers } = await exchange();

    expect(statusCode).toBe(503);
    expect(headers?.['retry-after']).toMatch(/^\d+$/);
  });
});

describe('a replay that does not finish in time', () => {
  it('is continued later even though SQS answers with an empty body', async () => {
    setEnvironment({
      NOTIFICATIONS_TABLE: 'Notifications',
      ENDPOINTS_TABLE: 'Endpoints',
      TOPIC_ARN: topicArn,
      REPLAYS_QUEUE_URL: `${aws.settings.endpoint}/000000000000/replays`,
      REDELIVERY: '{}',
    });
    const now = Date.now();
    const replay = {
      pk: 'REPLAY#one#a',
      sk: 'REPLAY',
      expires_at: Math.ceil(now / 1_000) + 60,
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
      attributes: { SentTimestamp: String(now) },
    };

    const answer = await handler({ Records: [record] } as never, contextOf(1_000));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm' }] });
    expect(asked('ChangeMessageVisibility')).toHaveLength(1);
  });
});

/** The ways in which a service fails, once or for good. `code` is the error code with which it throttles. */
const faultsOf = (code: string) => ({
  throttled: isXml(code) ? answering(400, xmlError(code), { 'content-type': 'text/xml' }) : refusing(code),
  failing: isXml(code)
    ? answering(500, xmlError('InternalFailure'), { 'content-type': 'text/xml' })
    : refusing('InternalServerError', {}, 500),
  behindSomethingElse: answering(502, '<html>'),
  cut: ((outgoing) => {
    outgoing.writeHead(200, { 'content-length': '100' });
    outgoing.write('{', () => outgoing.destroy());
  }) satisfies AwsAnswer,
  gone: ((outgoing) => outgoing.destroy()) satisfies AwsAnswer,
});
const isXml = (code: string): boolean => code === 'Throttled';
const xmlError = (code: string): string =>
  `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code>` +
  `<Message>no</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

/** Refuses the request because of the time in its signature, and sends the service's time in the `date` header. */
const offClock = (ahead: number): AwsAnswer => {
  const date = new Date(Date.now() + ahead).toUTCString();
  return answering(403, { __type: 'InvalidSignatureException', message: 'Signature expired' }, { date });
};

const now = Date.now();

/** A call to each AWS service that the API's functions use, with the service's answer when all is well. */
const calls = [
  {
    service: 'DynamoDB',
    operation: 'Query',
    code: 'ThrottlingException',
    well: answering(200, { Items: [] }),
    event: anApiEvent({ resource: '/notifications/endpoints', apiKeyId: 'key-one' }),
    module: 'show-notifications',
    status: 200,
  },
  {
    service: 'SNS',
    operation: 'ListSubscriptionsByTopic',
    code: 'Throttled',
    well: xml(
      '<ListSubscriptionsByTopicResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><ListSubscriptionsByTopicResult>' +
        '<Subscriptions/></ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>',
    ),
    event: anApiEvent({ resource: '/notifications/endpoints', apiKeyId: 'key-one' }),
    module: 'show-notifications',
    status: 200,
  },
  {
    service: 'Secrets Manager',
    operation: 'GetSecretValue',
    code: 'ThrottlingException',
    well: answering(200, { SecretString: 'a secret of at least 32 characters' }),
    event: anApiEvent({ resource: '/notifications', apiKeyId: 'key-one' }),
    module: 'show-notifications',
    status: 200,
  },
  {
    service: 'SQS',
    operation: 'SendMessage',
    code: 'ThrottlingException',
    well: ((outgoing, call) => {
      const MD5OfMessageBody = createHash('md5').update(JSON.parse(call.body).MessageBody).digest('hex');
      answering(200, { MessageId: 'm', MD5OfMessageBody })(outgoing, call);
    }) satisfies AwsAnswer,
    event: anApiEvent({
      method: 'POST',
      resource: '/notifications/replay',
      apiKeyId: 'key-one',
      headers: { 'content-type': 'application/json' },
      body: { from: new Date(now - 2_000).toISOString(), to: new Date(now - 1_000).toISOString() },
    }),
    module: 'send-notifications',
    status: 202,
  },
] as const;

describe.each(calls)('a call that uses $service', ({ operation, code, well, event, module, status }) => {
  /** Calls the function. The service gives `answers` one by one and then repeats the last; all other services work. */
  const ask = async (answers: readonly AwsAnswer[], milliseconds = 20_000) => {
    const others = Object.fromEntries(calls.map((call) => [call.operation, call.well]));
    aws.answer(
      byOperation({
        ...others,
        GetItem: applicationsTable,
        PutItem: answering(200, {}),
        UpdateItem: answering(200, {}),
        [operation]: (outgoing, call) =>
          answers[Math.min(asked(operation).length, answers.length) - 1]?.(outgoing, call),
      }),
    );
    setEnvironment({
      APPLICATIONS_TABLE: 'Applications',
      NOTIFICATIONS_TABLE: 'Notifications',
      ENDPOINTS_TABLE: 'Endpoints',
      TOPIC_ARN: topicArn,
      REPLAYS_QUEUE_URL: `${aws.settings.endpoint}/000000000000/replays`,
      CURSOR_SECRET_ARN: 'cursor',
    });
    const { handler } = await import(`../../../functions/notifications/${module}/index.ts`);
    return handler(event, contextOf(milliseconds));
  };

  it('is answered when the service works', async () => {
    expect(await ask([well])).toMatchObject({ statusCode: status });
  });

  it.each(Object.entries(faultsOf(code)))(
    'is answered although the service was %s at first',
    async (_fault, answer) => {
      expect(await ask([answer, well])).toMatchObject({ statusCode: status });
    },
  );

  it.each(Object.entries(faultsOf(code)))(
    'answers 503 while the service stays %s',
    async (_fault, answer) => {
      const { statusCode, headers } = await ask([answer]);

      expect(statusCode).toBe(503);
      expect(headers['retry-after']).toMatch(/^\d+$/);
    },
  );

  it('is answered even if the local clock is wrong', async () => {
    expect(await ask([offClock(3_600_000), well])).toMatchObject({ statusCode: status });
  });

  it.each([
    ['nothing comes', silent],
    ['the answer does not end', ((outgoing) => void outgoing.write('{')) satisfies AwsAnswer],
  ])('ends at its deadline when %s', async (_what, answer) => {
    const waits = Promise.withResolvers<void>();
    let late: Parameters<AwsAnswer> | undefined;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const endless: AwsAnswer = (...call) => {
      late = call;
      answer(...call);
      waits.resolve();
    };

    const answered = ask([endless], 60_000);
    await waits.promise;
    vi.advanceTimersByTime(59_500);
    // An answer that ends after the deadline changes nothing.
    late?.[0].end();

    expect(await answered).toMatchObject({ statusCode: 503 });
    expect(asked(operation)).toHaveLength(1);
  });
});

describe('the function that starts waiters', () => {
  const watch = async (...answers: readonly AwsAnswer[]) => {
    setEnvironment({
      SIGNERS_TABLE: 'Signers',
      TRANSACTIONS_TABLE: 'Transactions',
      STATE_MACHINE_ARN: 'arn:aws:states:eu-central-1:000000000000:stateMachine:waiter',
      CHAIN_ID: '137',
      CHAIN_SECRET_ARN: 'chain',
      POWERTOOLS_METRICS_NAMESPACE: 'Marquee/test',
    });
    const signer = {
      pk: 'signer',
      nextNonce: 2,
      lastTakenAt: 1,
      generation: 'g',
      minedCount: 1,
      finalizedCount: 1,
      finalizedHeight: 1,
      unminedCost: '0',
      costedThrough: 1,
    };
    aws.answer(
      byOperation({
        GetItem: answering(200, { Item: marshall(signer) }),
        UpdateItem: answering(200, {}),
        StartExecution: (outgoing, call) =>
          answers[Math.min(asked('StartExecution').length, answers.length) - 1]?.(outgoing, call),
      }),
    );
    const { handler } = await import('../../../functions/nft/watch-signers/index.ts');
    const record = { dynamodb: { SequenceNumber: '7', Keys: { pk: { S: 'signer' } } } };
    return handler({ Records: [record] });
  };
  const started = answering(200, { executionArn: 'arn:aws:states:x', startDate: 1 });
  const faults = Object.entries(faultsOf('ThrottlingException'));

  it.each(faults)('starts the waiter although Step Functions was %s at first', async (_fault, answer) => {
    expect(await watch(answer, started)).toEqual({ batchItemFailures: [] });
  });

  it.each(faults)(
    'returns the record to the stream while Step Functions stays %s',
    async (_fault, answer) => {
      expect(await watch(answer)).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] });
    },
  );

  it('starts the waiter even if the local clock is wrong', async () => {
    expect(await watch(offClock(3_600_000), started)).toEqual({ batchItemFailures: [] });
  });
});
