import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod';
import { type FauxqsCalls, snsResult, sqsResult } from './fauxqs.ts';

const queuePage = z.object({ QueueUrls: z.array(z.string()).optional(), NextToken: z.string().optional() });

/** Includes hidden queues. */
export const listQueueUrls = async (fauxqs: FauxqsCalls): Promise<readonly string[]> => {
  const urls: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = queuePage.parse(
      sqsResult(await fauxqs.sqs('ListQueues', { MaxResults: 1_000, ...(NextToken && { NextToken }) })),
    );
    urls.push(...(page.QueueUrls ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return urls;
};

export interface QueueSubscription {
  readonly arn: string;
  readonly topicArn: string;
  readonly protocol: string;
  readonly endpoint: string;
}

const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'member' });
const member = z
  .object({ SubscriptionArn: z.string(), TopicArn: z.string(), Protocol: z.string(), Endpoint: z.string() })
  .transform(
    (each): QueueSubscription => ({
      arn: each.SubscriptionArn,
      topicArn: each.TopicArn,
      protocol: each.Protocol,
      endpoint: each.Endpoint,
    }),
  );
const subscriptionPage = z.object({
  ListSubscriptionsResponse: z.object({
    ListSubscriptionsResult: z.object({
      Subscriptions: z.union([
        z.object({ member: z.array(member) }),
        z.literal('').transform(() => ({ member: [] })),
      ]),
      NextToken: z.string().optional(),
    }),
  }),
});

/** Includes the subscriptions of hidden queues. */
export const listSubscriptions = async (fauxqs: FauxqsCalls): Promise<readonly QueueSubscription[]> => {
  const found: QueueSubscription[] = [];
  let NextToken: string | undefined;
  do {
    const parameters = new URLSearchParams({ Action: 'ListSubscriptions', ...(NextToken && { NextToken }) });
    const page = subscriptionPage.parse(parser.parse(snsResult(await fauxqs.sns(parameters))))
      .ListSubscriptionsResponse.ListSubscriptionsResult;
    found.push(...page.Subscriptions.member);
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return found;
};

const attributes = z.object({
  Attributes: z.object({
    entry: z.union([
      z.array(z.object({ key: z.string(), value: z.coerce.string() })),
      z.object({ key: z.string(), value: z.coerce.string() }).transform((one) => [one]),
    ]),
  }),
});
const attributesPage = z.object({
  GetTopicAttributesResponse: z.object({ GetTopicAttributesResult: attributes }),
});
export const topicAttributes = async (
  fauxqs: FauxqsCalls,
  TopicArn: string,
): Promise<Readonly<Record<string, string>>> => {
  const answer = await fauxqs.sns(new URLSearchParams({ Action: 'GetTopicAttributes', TopicArn }));
  const parsed = attributesPage.parse(parser.parse(snsResult(answer)));
  return Object.fromEntries(
    parsed.GetTopicAttributesResponse.GetTopicAttributesResult.Attributes.entry.map(({ key, value }) => [
      key,
      value,
    ]),
  );
};
