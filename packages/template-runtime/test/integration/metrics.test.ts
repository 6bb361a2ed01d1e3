import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';
import { waitFor, waitUntil } from '../../testing/wait.ts';
import { startReceiver } from '../support/receiver.ts';

let endpoint: TestEndpoint;

beforeAll(async () => {
  endpoint = await startAwsEndpoint();
});
afterAll(() => endpoint.stop());

/** A call in the protocol of CloudWatch's SDK client, AWS JSON 1.0. */
const cloudwatch = async (operation: string, input: object) => {
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: {
      authorization: 'AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/monitoring/aws4_request',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `GraniteServiceVersion20100801.${operation}`,
    },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const seconds = (at = Date.now()) => Math.floor(at / 1_000);
const stat = (MetricName: string, TopicName: string) => ({
  Id: 'one',
  MetricStat: {
    Metric: { Namespace: 'AWS/SNS', MetricName, Dimensions: [{ Name: 'TopicName', Value: TopicName }] },
    Period: 3_600,
    Stat: 'Sum',
  },
});
const read = (queries: readonly object[]) =>
  cloudwatch('GetMetricData', {
    MetricDataQueries: queries,
    StartTime: seconds() - 3_600,
    EndTime: seconds() + 60,
  });

describe('the metrics of CloudWatch', () => {
  it('count published and delivered messages of a topic', async () => {
    const { arn: topicArn } = await endpoint.messaging.createTopic({ name: 'counted', attributes: {} });
    const receiver = await startReceiver();
    const { subscriptionArn } = await endpoint.messaging.subscribe({
      topicArn,
      protocol: 'http',
      endpoint: receiver.url,
      attributes: {},
    });
    const confirmation = await waitUntil(() => receiver.of('SubscriptionConfirmation')[0]);
    await fetch(String(JSON.parse(confirmation.body).SubscribeURL));
    expect(endpoint.messaging.subscriptions.get(subscriptionArn)?.status).toBe('confirmed');

    await endpoint.messaging.publish({ topicArn, message: 'hello' });

    for (const name of ['NumberOfMessagesPublished', 'NumberOfNotificationsDelivered']) {
      await waitFor(async () => {
        const { body } = await read([stat(name, 'counted')]);
        expect(body).toMatchObject({
          MetricDataResults: [{ Id: 'one', Label: name, Values: [1], StatusCode: 'Complete' }],
        });
      });
    }
    const { body } = await cloudwatch('ListMetrics', { Namespace: 'AWS/SNS' });
    expect(body.Metrics).toContainEqual({
      Namespace: 'AWS/SNS',
      MetricName: 'NumberOfMessagesPublished',
      Dimensions: [{ Name: 'TopicName', Value: 'counted' }],
    });
    await receiver.stop();
  });

  it.each([
    ['metric math', [{ Id: 'sum', Expression: 'a + b' }]],
    [
      'a period of half a minute',
      [{ ...stat('x', 'y'), MetricStat: { ...stat('x', 'y').MetricStat, Period: 30 } }],
    ],
    [
      'an unknown statistic',
      [{ ...stat('x', 'y'), MetricStat: { ...stat('x', 'y').MetricStat, Stat: 'Median' } }],
    ],
  ])('cannot be queried with %s', async (_, queries) => {
    expect((await read(queries)).status).toBe(400);
  });
});
