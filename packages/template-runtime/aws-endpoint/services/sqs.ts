import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { accountId, arn, resourceOfArn } from '../../engines/account.ts';
import { listQueueUrls, listSubscriptions, redrivePolicyOf } from '../../engines/messaging/listing.ts';
import type { Messaging } from '../../engines/messaging/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { isHiddenQueue } from '../../engines/sns-delivery/subscriptions.ts';
import type { Call } from '../call.ts';
import { jsonAnswer, jsonFault, operationName, parseJson } from '../json-protocol.ts';
import type { AwsAnswer, AwsRequest } from '../request.ts';

const anyInput = z.looseObject({
  QueueUrl: z.string().optional(),
  QueueName: z.string().optional(),
  SourceArn: z.string().optional(),
});
const moveTask = z.object({ SourceArn: z.string(), DestinationArn: z.string().optional() });
const queueListing = z.object({ QueueNamePrefix: z.string().default('') });
const queueReference = z.object({ QueueUrl: z.string() });

const answersUrl = new Set(['CreateQueue', 'GetQueueUrl']);

/**
 * SQS answers these operations with an empty body, not with an empty JSON object (API Reference, e.g.
 * *ChangeMessageVisibility*).
 */
const answersNothing = new Set([
  'AddPermission',
  'ChangeMessageVisibility',
  'DeleteMessage',
  'DeleteQueue',
  'PurgeQueue',
  'RemovePermission',
  'SetQueueAttributes',
  'TagQueue',
  'UntagQueue',
]);

/**
 * A batch operation needs the permission of the operation for one message: `SendMessageBatch` needs `sqs:SendMessage`.
 */
const actionOf = (operation: string): string => `sqs:${operation.replace(/Batch$/, '')}`;

const nameOf = (url: string): string => url.split('/').at(-1) ?? '';

const resourceOf = (input: unknown): string => {
  const parsed = anyInput.safeParse(input);
  if (!parsed.success) return '*';
  const { QueueUrl, QueueName, SourceArn } = parsed.data;
  if (SourceArn !== undefined) return SourceArn;
  const name = QueueUrl === undefined ? QueueName : nameOf(QueueUrl);
  return name === undefined ? '*' : arn('sqs', name);
};

type Operation = (input: unknown) => Promise<unknown>;

/** Passes SQS calls to the engine. Adds operations that the engine lacks, and hides the runtime's internal queues. */
export const sqsService = (
  messaging: Messaging,
  endpointUrl: string,
): ((request: AwsRequest, call: Call) => Promise<AwsAnswer>) => {
  const ourUrl = (url: string): string => `${endpointUrl}/${accountId}/${nameOf(url)}`;
  const queueUrls = async (): Promise<readonly string[]> =>
    (await listQueueUrls(messaging.wire)).filter((url) => !isHiddenQueue(url)).map(ourUrl);
  const sourcesOf = async (deadLetterQueueArn: string): Promise<readonly string[]> => {
    const sources: string[] = [];
    for (const url of await queueUrls()) {
      const { RedrivePolicy } = await messaging.queueAttributes(arn('sqs', nameOf(url)));
      if (RedrivePolicy?.includes(`"${deadLetterQueueArn}"`)) sources.push(url);
    }
    return sources;
  };

  const isFedBySns = async (deadLetterQueueArn: string): Promise<boolean> => {
    const { httpSubscriptions, wire } = messaging;
    const ofHttp = httpSubscriptions
      .list()
      .map(({ arn: each }) => httpSubscriptions.attributes(each).RedrivePolicy);
    const ofQueues = await Promise.all(
      (await listSubscriptions(wire)).map(({ arn: each }) => redrivePolicyOf(wire, each)),
    );
    return [...ofHttp, ...ofQueues].some((policy) => policy?.includes(`"${deadLetterQueueArn}"`) === true);
  };

  const move = async (from: string, to: string): Promise<number> => {
    for (let moved = 0; ; moved += 1) {
      const [message] = await messaging.receive({ queueArn: from, maximum: 1, waitSeconds: 0 });
      if (!message) return moved;
      await messaging.send({ queueArn: to, body: message.body, attributes: message.messageAttributes });
      await messaging.remove({ queueArn: from, receiptHandle: message.receiptHandle });
    }
  };

  const startMoveTask: Operation = async (input) => {
    const { SourceArn, DestinationArn } = moveTask.parse(input);
    const names = (await queueUrls()).map(nameOf);
    for (const [parameter, value] of Object.entries({ SourceArn, DestinationArn })) {
      if (value !== undefined && !names.includes(resourceOfArn(value))) {
        throw new ServiceFault({
          code: 'ResourceNotFoundException',
          message: `The resource that you specified for the ${parameter} parameter doesn't exist.`,
        });
      }
    }
    // SQS moves only dead letters of other queues (API Reference, *StartMessageMoveTask*). A message that SNS has put
    // into the queue has no source queue.
    const [source] = await sourcesOf(SourceArn);
    if (source === undefined || (await isFedBySns(SourceArn))) {
      throw new ServiceFault({
        code: 'InvalidParameterValue',
        message: 'Source queue must be configured as a Dead Letter Queue.',
      });
    }
    await move(SourceArn, DestinationArn ?? arn('sqs', nameOf(source)));
    return {
      TaskHandle: Buffer.from(JSON.stringify({ taskId: randomUUID(), SourceArn })).toString('base64'),
    };
  };

  /** Replaces the engine's queue URLs with URLs of this endpoint. */
  const pass = async (operation: string, input: unknown): Promise<AwsAnswer> => {
    const answer = await messaging.wire.sqs(operation, input);
    if (answer.status >= 400) return answer;
    if (answersNothing.has(operation)) return { ...answer, body: '' };
    if (!answersUrl.has(operation)) return answer;
    const { QueueUrl } = queueReference.parse(JSON.parse(answer.body));
    return jsonAnswer(200, { QueueUrl: ourUrl(QueueUrl) }, '1.0');
  };

  const own: Readonly<Record<string, Operation>> = {
    async ListQueues(input) {
      const { QueueNamePrefix } = queueListing.parse(input);
      return { QueueUrls: (await queueUrls()).filter((url) => nameOf(url).startsWith(QueueNamePrefix)) };
    },
    async ListDeadLetterSourceQueues(input) {
      const { QueueUrl } = queueReference.parse(input);
      return { queueUrls: await sourcesOf(arn('sqs', nameOf(QueueUrl))) };
    },
    StartMessageMoveTask: startMoveTask,
  };

  return async (request, call) => {
    const operation = operationName(request);
    try {
      const input = parseJson(request.body);
      call.allow(actionOf(operation), resourceOf(input));
      const run = Object.hasOwn(own, operation) ? own[operation] : undefined;
      if (run) return jsonAnswer(200, await run(input), '1.0');
      return await pass(operation, input);
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      return jsonFault(
        error.code === 'AccessDeniedException'
          ? new ServiceFault({ code: error.code, message: error.message, status: 403 })
          : error,
        '1.0',
      );
    }
  };
};
