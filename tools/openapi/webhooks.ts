import * as z from 'zod';
import {
  wireChainMessageSchema,
  wireEventMessageSchema,
  wireMessageSchema,
} from '../../shared/notifications/messages/wire-message.ts';
import type { Components, Json } from './schemas.ts';

const topicArn = 'arn:aws:sns:eu-central-1:123456789012:marquee-changes';
const messageId = '165545c9-2a5c-472c-8df2-7ff2be2b3b1b';
const certificate =
  'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-7506a1e35b36ef5a444dd1a8e7cc3ed8.pem';
const signature =
  'EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4VbeS0QHVCkhRS7fUQvi2egU3N858fiTDN6bkk';

const signed = {
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  SignatureVersion: z.string(),
  Signature: z.string(),
  SigningCertURL: z.string(),
};

const signedExample = {
  MessageId: messageId,
  TopicArn: topicArn,
  Timestamp: '2026-11-20T09:15:02.130Z',
  SignatureVersion: '2',
  Signature: signature,
  SigningCertURL: certificate,
};

const confirmationSchema = z
  .object({
    Type: z.literal('SubscriptionConfirmation'),
    Token: z.string(),
    SubscribeURL: z.string().describe('Request this URL once with GET'),
    ...signed,
  })
  .meta({
    id: 'SubscriptionConfirmation',
    description: 'Asks the endpoint to confirm that it wants the notifications of the topic.',
    examples: [
      {
        Type: 'SubscriptionConfirmation',
        Token: '2336412f37',
        Message: `You have chosen to subscribe to the topic ${topicArn}.`,
        SubscribeURL: `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=2336412f37`,
        ...signedExample,
      },
    ],
  });

const endSchema = z
  .object({
    Type: z.literal('UnsubscribeConfirmation'),
    Token: z.string(),
    SubscribeURL: z
      .string()
      .describe('Request this URL only to restore the subscription, which is possible for two days'),
    ...signed,
  })
  .meta({
    id: 'UnsubscribeConfirmation',
    description: 'Says that the subscription has ended.',
    examples: [
      {
        Type: 'UnsubscribeConfirmation',
        Token: '2336412f37',
        Message: `You have chosen to deactivate subscription ${topicArn}:2bcfbf39-05c3-41de-beaa-fcfcc21c8f55.`,
        SubscribeURL: `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=2336412f37`,
        ...signedExample,
      },
    ],
  });

const envelopeSchema = z
  .object({
    Type: z.literal('Notification'),
    ...signed,
    Message: z.string().describe('A `Notification`, `ChainNotification` or `EventNotification` as JSON text'),
  })
  .meta({
    id: 'EnvelopedNotification',
    description: 'A notification in the signed envelope of SNS.',
    examples: [
      {
        Type: 'Notification',
        Message: JSON.stringify({
          operation_type: 'data_update',
          application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7',
          date_time: '2026-11-20T09:15:02.123456',
        }),
        ...signedExample,
      },
    ],
  });

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
  example,
});

const headersOf = (type: string): readonly Json[] => [
  header(
    'x-amz-sns-message-type',
    'The type of the message. The local runtime also sends it as `x-notify-message-type`',
    type,
  ),
  header('x-amz-sns-message-id', 'The id of the message. It is the same in every retry', messageId),
  header('x-amz-sns-topic-arn', 'The topic that the operator gave you', topicArn),
];

const responses: Json = {
  '200': { description: 'Any 2xx status: the message counts as delivered' },
  '403': {
    description:
      'Any 3xx status, and any 4xx status except 429: the message is not retried. SNS follows no redirect. The message is sent again later',
  },
  '500': {
    description:
      'Any 5xx status, 429, a timeout after 15 seconds or a closed connection: the message is retried. If the last retry fails, too, the message is moved to the dead-letter queue',
  },
};

export const webhooks = (components: Components): Json => {
  const post = ({
    operationId,
    summary,
    description,
    schema,
    parameters,
  }: {
    readonly operationId: string;
    readonly summary: string;
    readonly description: string;
    readonly schema: z.ZodType;
    readonly parameters: readonly Json[];
  }): Json => {
    const reference = components.schemaOf(schema, 'output');
    return {
      post: {
        operationId,
        // Webhooks have their own tag. If a call and a webhook had the same tag, generators would write both to files
        // of the same name.
        tags: ['Webhooks'],
        summary,
        description,
        security: [],
        parameters,
        requestBody: {
          required: true,
          // SNS sends this content type with every body.
          content: {
            'text/plain; charset=UTF-8': { schema: reference, example: components.exampleOf(reference) },
          },
        },
        responses,
      },
    };
  };
  return {
    subscriptionConfirmation: post({
      operationId: 'onSubscriptionConfirmation',
      summary: 'An endpoint has been subscribed',
      description:
        'Check that `SubscribeURL` is on the host of SNS and that `TopicArn` is yours, then request the URL once with GET.',
      schema: confirmationSchema,
      parameters: headersOf('SubscriptionConfirmation'),
    }),
    unsubscribeConfirmation: post({
      operationId: 'onUnsubscribeConfirmation',
      summary: 'A subscription has ended',
      description:
        'Somebody has requested the `UnsubscribeURL`, which is in each enveloped message. If that was not you, request `SubscribeURL` within two days to restore the subscription, or ask the operator.',
      schema: endSchema,
      parameters: headersOf('UnsubscribeConfirmation'),
    }),
    notification: post({
      operationId: 'onNotification',
      summary: 'A user has registered, or the data of a user has changed',
      description:
        'This is the standard form, the bare message without a signature. Respond fast, and read the user’s data afterwards. Read the data even if `date_time` is not newer than in earlier messages, because a message may arrive more than once, and messages arrive in any order.',
      schema: wireMessageSchema,
      parameters: [
        ...headersOf('Notification'),
        header('x-amz-sns-rawdelivery', '`true` if the message is bare; absent if it is enveloped', 'true'),
      ],
    }),
    chainNotification: post({
      operationId: 'onChainNotification',
      summary: 'A contract or a token was confirmed, or failed, on the chain',
      description:
        'Sent to endpoints that subscribed to `contract_update` or `token_update`: one message for each contract, each token, each revocation, and each change of a royalty or of metadata. A message may arrive more than once, each time with the same content.',
      schema: wireChainMessageSchema,
      parameters: [
        ...headersOf('Notification'),
        header('x-amz-sns-rawdelivery', '`true` if the message is bare; absent if it is enveloped', 'true'),
      ],
    }),
    eventNotification: post({
      operationId: 'onEventNotification',
      summary: 'An event of the catalogue has changed',
      description:
        'Sent to endpoints that subscribed to `event_update`, if the rules of your application show the event, or have shown it before. The message is not signed in this form: read the event before you rely on it. A message may arrive more than once, and messages arrive in any order: of several about one event, the one with the latest `date_time` counts.',
      schema: wireEventMessageSchema,
      parameters: [
        ...headersOf('Notification'),
        header('x-amz-sns-rawdelivery', '`true` if the message is bare; absent if it is enveloped', 'true'),
      ],
    }),
    envelopedNotification: post({
      operationId: 'onEnvelopedNotification',
      summary: 'A notification in a signed envelope',
      description:
        'Sent to endpoints with an enveloped subscription. Verify the signature before you use the message.',
      schema: envelopeSchema,
      parameters: headersOf('Notification'),
    }),
  };
};
