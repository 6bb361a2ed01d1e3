import * as z from 'zod';
import { withDeadline } from '../../deadline.ts';
import { conditionHeld, type DocumentClient } from './client.ts';

/** The period in which an outside service gave no usable answer: from the first failure to the last failure so far. */
export interface Outage {
  readonly service: string;
  readonly since: number;
  readonly lastAt: number;
}

/** Failures at most this far apart belong to the same outage. */
const gapMilliseconds = 60_000;
const keptMilliseconds = 86_400_000;
/** Short, because the response to the viewer is sent only after the outage is reported. */
const timeoutMilliseconds = 300;

const itemSchema = z.object({ since: z.int(), last_at: z.int() });
const keyOf = (service: string) => ({ pk: `SERVICE#${service}` });

/** Stores the outages that functions report. The reports arrive minutes earlier than CloudWatch's metrics. */
export const dynamoDbOutages = ({
  client,
  tableName: TableName,
}: {
  readonly client: Pick<DocumentClient, 'get' | 'put' | 'update'>;
  readonly tableName: string;
}) => ({
  report: async ({ service, at }: { readonly service: string; readonly at: number }): Promise<void> => {
    const expiresAt = Math.ceil((at + keptMilliseconds) / 1_000);
    const isKnown = await conditionHeld(
      withDeadline(timeoutMilliseconds, () =>
        client.update({
          TableName,
          Key: keyOf(service),
          UpdateExpression: 'SET last_at = :at, expires_at = :expires',
          ConditionExpression: 'last_at >= :recent',
          ExpressionAttributeValues: { ':at': at, ':expires': expiresAt, ':recent': at - gapMilliseconds },
        }),
      ),
    );
    if (isKnown) return;
    await withDeadline(timeoutMilliseconds, () =>
      client.put({ TableName, Item: { ...keyOf(service), since: at, last_at: at, expires_at: expiresAt } }),
    );
  },

  find: async (service: string): Promise<Outage | undefined> => {
    const { Item } = await client.get({ TableName, Key: keyOf(service), ConsistentRead: true });
    if (Item === undefined) return undefined;
    const { since, last_at: lastAt } = itemSchema.parse(Item);
    return { service, since, lastAt };
  },
});

/** Each function instance reports a service at most once in this time. */
const reportEveryMilliseconds = 3_000;

/** Reports that a service gives no usable answer. Never rejects, so that a viewer still gets a response. */
export const outageReporter = (
  outages: Pick<ReturnType<typeof dynamoDbOutages>, 'report'>,
  { service, clock }: { readonly service: string; readonly clock: () => number },
): (() => Promise<void>) => {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = clock();
    if (at - reportedAt < reportEveryMilliseconds) return;
    reportedAt = at;
    await outages.report({ service, at }).catch(() => {});
  };
};
