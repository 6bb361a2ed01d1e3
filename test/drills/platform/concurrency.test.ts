import { PublishBatchCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { userDataOf } from '../../support/users/user-data-system.ts';

let system: System;

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty'] });
});
afterAll(() => system.dispose());

const setFaults = async (faults: unknown): Promise<void> => {
  const url = `${system.outputs.aws_endpoint_url}/_faults`;
  expect((await callApi(url, { method: 'PUT', body: faults })).status).toBe(200);
};

/** The number of messages in all queues, whether waiting or being processed. */
const unfinished = async (sqs: SQSClient): Promise<number> => {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand());
  const counts = await Promise.all(
    QueueUrls.map(async (QueueUrl) => {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      return (
        Number(Attributes.ApproximateNumberOfMessages) +
        Number(Attributes.ApproximateNumberOfMessagesNotVisible)
      );
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

it('customers’ reads succeed while the record of notifications is behind, in an account with 20 environments', async () => {
  const { id, clientId, apiKey } = await userDataOf(system).ownApplication('reader');
  await userDataOf(system).put('anna', { n: 1 }, clientId);
  const { json } = await callApi<{ user_subs: readonly { application_user_sub: string }[] }>(
    `${system.outputs.api_url_b2b}/vendor/user-subs/get`,
    { method: 'POST', key: apiKey, body: { user_subs: ['anna'] } },
  );
  const application_user_sub = json.user_subs[0]?.application_user_sub;
  const sns = new SNSClient(system.aws);
  const sqs = new SQSClient(system.aws);
  // The database becomes so slow that the notification record falls behind on any machine.
  await setFaults({ database: { delayMilliseconds: 600 }, lambda: { accountConcurrency: 20 } });

  // Published concurrently, so that they come faster than they are recorded.
  const publish = (batch: number) =>
    sns.send(
      new PublishBatchCommand({
        TopicArn: system.outputs.topic_arn,
        PublishBatchRequestEntries: Array.from({ length: 10 }, (_, index) => ({
          Id: String(index),
          Message: JSON.stringify({
            operation_type: 'data_update',
            application_user_sub: `${batch}-${index}`,
            date_time: '2026-11-20T09:15:02.123456',
          }),
          MessageAttributes: {
            application_id: { DataType: 'String', StringValue: id },
            operation_type: { DataType: 'String', StringValue: 'data_update' },
          },
        })),
      }),
    );
  for (let first = 0; first < 200; first += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => publish(first + index)));
  }
  const statuses: number[] = [];
  const waiting = await unfinished(sqs);
  const reading = new AbortController();
  const reader = async (): Promise<void> => {
    while (!reading.signal.aborted) {
      const read = await callApi(`${system.outputs.api_url_b2b}/user-data/read`, {
        method: 'POST',
        key: apiKey,
        body: { application_user_sub },
      });
      statuses.push(read.status);
    }
  };
  const readers = [reader(), reader(), reader()];
  await waitFor(async () => expect(await unfinished(sqs)).toBe(0), { interval: 250 });
  reading.abort();
  await Promise.all(readers);

  expect(waiting).toBeGreaterThan(50);
  expect(statuses.length).toBeGreaterThan(10);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it('every API answers 503 with Retry-After when Lambda throttles', async () => {
  const { apiKey } = await userDataOf(system).ownApplication('refused');
  const { base_url, api_url_b2b, api_url_profile } = system.outputs;
  await setFaults({ lambda: { accountConcurrency: 0 } });

  const answers = await Promise.all(
    [
      `${base_url}/api/v3/ott/events`,
      `${base_url}/api/v1/nft/contracts`,
      `${api_url_b2b}/notifications`,
      `${api_url_profile}/user/data`,
    ].map(async (url) => {
      const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
      const { status, headers } = response;
      return { status, retryAfter: headers.get('retry-after'), body: await response.json() };
    }),
  );
  await setFaults({ lambda: { accountConcurrency: 1_000 } });

  const refused = {
    status: 503,
    retryAfter: '1',
    body: { status: 503, message: 'SERVICE_UNAVAILABLE' },
  };
  expect(answers).toEqual([refused, refused, refused, refused]);
});
