import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { accountId, accountOfArn, region, resourceOfArn } from '../../engines/account.ts';
import { listQueueUrls } from '../../engines/messaging/listing.ts';
import {
  arnOfEngineQueue,
  arnOfQueueUrl,
  engineQueueName,
  queueUrl,
} from '../../engines/messaging/queue-names.ts';
import type { Messaging } from '../../engines/messaging/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { isHiddenQueue } from '../../engines/sns-delivery/subscription-store.ts';
import type { Call } from '../call.ts';
import { jsonAnswer, jsonFault, operationName, parseJson } from '../json-protocol.ts';
import type { AwsAnswer, AwsRequest } from '../request.ts';
import { onlyAskedAttributes } from './sqs-message-attributes.ts';

const anyInput = z.looseObject({
  QueueUrl: z.string().optional(),
  QueueName: z.string().optional(),
  QueueOwnerAWSAccountId: z.string().optional(),
  SourceArn: z.string().optional(),
  AttributeNames: z.array(z.string()).optional(),
});
type AnyInput = z.infer<typeof anyInput>;
const moveTask = z.object({ SourceArn: z.string(), DestinationArn: z.string().optional() });
const queueListing = z.object({ QueueNamePrefix: z.string().default('') });
const queueReference = z.object({ QueueUrl: z.string() });
const queueAttributes = z.object({
  Attributes: z.looseObject({ QueueArn: z.string().optional() }).optional(),
});

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

/** The queue that a call names, or all queues of the caller's account. */
const resourceOf = (input: AnyInput, account: string): string => {
  const { QueueUrl, QueueName, QueueOwnerAWSAccountId = account, SourceArn } = input;
  if (SourceArn !== undefined) return SourceArn;
  if (QueueUrl !== undefined) return arnOfQueueUrl(QueueUrl);
  return `arn:aws:sqs:${region}:${QueueOwnerAWSAccountId}:${QueueName ?? '*'}`;
};

type Operation = (input: unknown, account: string) => Promise<unknown>;

/** Passes SQS calls to the engine. Adds operations that the engine lacks, and hides the runtime's internal queues. */
export const sqsService = (
  messaging: Messaging,
  endpointUrl: string,
): ((request: AwsRequest, call: Call) => Promise<AwsAnswer>) => {
  const ourUrl = (engineUrl: string): string => queueUrl(endpointUrl, arnOfEngineQueue(nameOf(engineUrl)));
  const queueUrls = async (account: string): Promise<readonly string[]> =>
    (await listQueueUrls(messaging.wire))
      .filter((url) => !isHiddenQueue(url))
      .map(ourUrl)
      .filter((url) => accountOfArn(arnOfQueueUrl(url)) === account);
  const sourcesOf = async (deadLetterQueueArn: string): Promise<readonly string[]> => {
    const sources: string[] = [];
    for (const url of await queueUrls(accountOfArn(deadLetterQueueArn))) {
      const { RedrivePolicy } = await messaging.queueAttributes(arnOfQueueUrl(url));
      if (RedrivePolicy?.includes(`"${deadLetterQueueArn}"`)) sources.push(url);
    }
    return sources;
  };

  const isFedBySns = ({ subscriptions }: Messaging, deadLetterQueueArn: string): boolean =>
    subscriptions
      .list()
      .some(({ attributes }) => attributes.RedrivePolicy?.includes(`"${deadLetterQueueArn}"`) === true);

  const move = async (from: string, to: string): Promise<number> => {
    for (let moved = 0; ; moved += 1) {
      const [message] = await messaging.receive({ queueArn: from, maximum: 1, waitSeconds: 0 });
      if (!message) return moved;
      await messaging.send({ queueArn: to, body: message.body, attributes: message.messageAttributes });
      await messaging.remove({ queueArn: from, receiptHandle: message.receiptHandle });
    }
  };

  const startMoveTask: Operation = async (input, account) => {
    const { SourceArn, DestinationArn } = moveTask.parse(input);
    const names = (await queueUrls(account)).map(nameOf);
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
    if (source === undefined || isFedBySns(messaging, SourceArn)) {
      throw new ServiceFault({
        code: 'InvalidParameterValue',
        message: 'Source queue must be configured as a Dead Letter Queue.',
      });
    }
    await move(SourceArn, DestinationArn ?? arnOfQueueUrl(source));
    return {
      TaskHandle: Buffer.from(JSON.stringify({ taskId: randomUUID(), SourceArn })).toString('base64'),
    };
  };

  /**
   * Replaces the queue's name in a request by the engine's, and the engine's URLs and ARNs in the response by those of
   * this endpoint.
   */
  const pass = async (operation: string, input: AnyInput, queueArn: string): Promise<AwsAnswer> => {
    // The engine would return all attributes.
    if (operation === 'GetQueueAttributes' && !input.AttributeNames?.length) {
      await messaging.queueAttributes(queueArn);
      return jsonAnswer(200, {}, '1.0');
    }
    const name = engineQueueName(queueArn);
    const answer = await messaging.wire.sqs(operation, {
      ...input,
      ...(input.QueueUrl !== undefined && { QueueUrl: `${endpointUrl}/${accountId}/${name}` }),
      ...(input.QueueName !== undefined && { QueueName: name }),
    });
    if (answer.status >= 400) return answer;
    if (answersNothing.has(operation)) return { ...answer, body: '' };
    if (answersUrl.has(operation)) {
      const { QueueUrl } = queueReference.parse(JSON.parse(answer.body));
      return jsonAnswer(200, { QueueUrl: ourUrl(QueueUrl) }, '1.0');
    }
    if (operation === 'ReceiveMessage')
      return jsonAnswer(200, onlyAskedAttributes(input, answer.body), '1.0');
    if (operation !== 'GetQueueAttributes') return answer;
    const { Attributes } = queueAttributes.parse(JSON.parse(answer.body));
    if (Attributes?.QueueArn === undefined) return answer;
    return jsonAnswer(200, { Attributes: { ...Attributes, QueueArn: queueArn } }, '1.0');
  };

  const own: Readonly<Record<string, Operation>> = {
    async ListQueues(input, account) {
      const { QueueNamePrefix } = queueListing.parse(input);
      const urls = await queueUrls(account);
      return { QueueUrls: urls.filter((url) => nameOf(url).startsWith(QueueNamePrefix)) };
    },
    async ListDeadLetterSourceQueues(input) {
      const { QueueUrl } = queueReference.parse(input);
      return { queueUrls: await sourcesOf(arnOfQueueUrl(QueueUrl)) };
    },
    StartMessageMoveTask: startMoveTask,
  };

  /** The policy of a queue of another account. In the same account, the caller's own policies decide. */
  const policyAcross = async (queueArn: string, call: Call): Promise<unknown> => {
    if (accountOfArn(queueArn) === call.account) return undefined;
    const { Policy } = await messaging.queueAttributes(queueArn).catch(() => ({ Policy: undefined }));
    return Policy === undefined ? undefined : JSON.parse(Policy);
  };

  return async (request, call) => {
    const operation = operationName(request);
    try {
      const input = anyInput.parse(parseJson(request.body));
      const resource = resourceOf(input, call.account);
      call.allow(actionOf(operation), resource, undefined, await policyAcross(resource, call));
      const run = Object.hasOwn(own, operation) ? own[operation] : undefined;
      if (run) return jsonAnswer(200, await run(input, call.account), '1.0');
      return await pass(operation, input, resource);
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
