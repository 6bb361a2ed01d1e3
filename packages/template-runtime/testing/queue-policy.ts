/**
 * The policy of a queue to which SNS may send a topic's messages. Without one, a queue admits only its own account.
 * @public
 */
export const admittingTopic = (topicArn: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: '*',
        Condition: { ArnEquals: { 'aws:SourceArn': topicArn } },
      },
    ],
  });
