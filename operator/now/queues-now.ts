import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Messages that wait in a queue, those that somebody has taken for a while among them; about so many. */
export const queueDepth = async (
  { sqs }: { readonly sqs: SQSClient },
  { queueUrl }: { readonly queueUrl: string },
): Promise<number> => {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Object.values(Attributes).reduce((sum, text) => sum + Number(text), 0);
};
