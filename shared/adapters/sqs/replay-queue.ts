import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type * as z from 'zod';
import type { EnqueueReplay, PutOffReplay } from '../../notifications/ports/replays.ts';
import type { replayMessageSchema } from '../../notifications/replay-message.ts';

export const sqsReplayQueue =
  ({ client, queueUrl }: { readonly client: SQSClient; readonly queueUrl: string }): EnqueueReplay =>
  async ({ applicationId, id }) => {
    const body: z.input<typeof replayMessageSchema> = { application_id: applicationId, replay_id: id };
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(body) }));
  };

export const sqsPutOffReplay =
  ({ client, queueUrl }: { readonly client: SQSClient; readonly queueUrl: string }): PutOffReplay =>
  async ({ receiptHandle, seconds }) => {
    await client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
    );
  };
