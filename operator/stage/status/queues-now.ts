import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** The number of messages in a queue, including messages in flight. SQS reports it approximately. */
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
