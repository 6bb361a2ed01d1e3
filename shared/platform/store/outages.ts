import * as z from 'zod';
import { withDeadline } from '../time/deadline.ts';
import { patient } from '../time/patience.ts';
import { conditionHeld, type DocumentClient } from './client.ts';

/** The period in which an outside service gave no usable answer: from the first failure to the last failure so far. */
export interface Outage {
  readonly service: string;
  readonly since: number;
  readonly lastAt: number;
  /**
   * When a call began that succeeded. The outage is over if this is later than `lastAt`. 0 if no call has succeeded
   * since the outage began.
   */
  readonly answeredAt: number;
}

/** Failures at most this far apart belong to the same outage, even if calls between them succeeded. */
const gapMilliseconds = 60_000;
const keptMilliseconds = 7 * 86_400_000;
const itemSchema = z.object({ since: z.int(), last_at: z.int(), answered_at: z.int() });
const keyOf = (service: string) => ({ pk: `SERVICE#${service}` });

/** Stores the outages that functions report. The reports arrive minutes earlier than CloudWatch's metrics. */
export const dynamoDbOutages = ({
  client,
  tableName: TableName,
  timeoutMilliseconds = patient(300),
}: {
  readonly client: Pick<DocumentClient, 'get' | 'put' | 'update'>;
  readonly tableName: string;
  /**
   * For each call. Short, because the response to the viewer is sent only after the outage is reported.
   * @default 300
   */
  readonly timeoutMilliseconds?: number;
}) => {
  const find = async (service: string): Promise<Outage | undefined> => {
    const { Item } = await client.get({ TableName, Key: keyOf(service), ConsistentRead: true });
    if (Item === undefined) return undefined;
    const { since, last_at: lastAt, answered_at: answeredAt } = itemSchema.parse(Item);
    return { service, since, lastAt, answeredAt };
  };

  return {
    report: async ({ service, at }: { readonly service: string; readonly at: number }): Promise<void> => {
      const expiresAt = Math.ceil((at + keptMilliseconds) / 1_000);
      const isKnown = await conditionHeld(
        withDeadline(timeoutMilliseconds, () =>
          client.update({
            TableName,
            Key: keyOf(service),
            UpdateExpression: 'SET last_at = :at, expires_at = :expires',
            ConditionExpression: 'last_at >= :recent OR answered_at < last_at',
            ExpressionAttributeValues: { ':at': at, ':expires': expiresAt, ':recent': at - gapMilliseconds },
          }),
        ),
      );
      if (isKnown) return;
      await withDeadline(timeoutMilliseconds, () =>
        client.put({
          TableName,
          Item: { ...keyOf(service), since: at, last_at: at, answered_at: 0, expires_at: expiresAt },
        }),
      );
    },

    /** Ends the outage of a service, if there is one, after a call that began at `at` succeeded. */
    end: async ({ service, at }: { readonly service: string; readonly at: number }): Promise<void> => {
      const outage = await withDeadline(timeoutMilliseconds, () => find(service));
      if (outage === undefined || isOver(outage) || outage.lastAt >= at) return;
      await withDeadline(timeoutMilliseconds, () =>
        conditionHeld(
          client.update({
            TableName,
            Key: keyOf(service),
            UpdateExpression: 'SET answered_at = :at',
            ConditionExpression: 'last_at < :at',
            ExpressionAttributeValues: { ':at': at },
          }),
        ),
      );
    },

    find,
  };
};

/** Whether a call succeeded that began after the last failure. */
export const isOver = ({ lastAt, answeredAt }: Outage): boolean => answeredAt > lastAt;

/** Each function instance reports failures of a service at most once in this time. */
const failureEveryMilliseconds = 3_000;
/** Each function instance looks at most once in this time whether an outage is over, unless its last call failed. */
const successEveryMilliseconds = 5_000;

/** Returns what the call returns, and tells the watch whether it succeeded. Rejects only if the call rejects. */
export type OutageWatch = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** Watches the calls to a service, and reports when an outage begins and ends. */
export const outageWatch = (
  outages: Pick<ReturnType<typeof dynamoDbOutages>, 'report' | 'end'>,
  { service, clock }: { readonly service: string; readonly clock: () => number },
): OutageWatch => {
  let told: { readonly outcome: 'failure' | 'success'; readonly at: number } | undefined;

  /** Repeats a report that failed at the next call, because then nobody knows of the outcome. */
  const tell = async (outcome: 'failure' | 'success', at: number): Promise<void> => {
    const every = outcome === 'failure' ? failureEveryMilliseconds : successEveryMilliseconds;
    if (told?.outcome === outcome && at - told.at < every) return;
    const before = told;
    told = { outcome, at };
    await (outcome === 'failure' ? outages.report({ service, at }) : outages.end({ service, at })).catch(
      () => {
        told = before;
      },
    );
  };

  return async (call) => {
    const begunAt = clock();
    let answer: Awaited<ReturnType<typeof call>>;
    try {
      answer = await call();
    } catch (error) {
      await tell('failure', clock());
      throw error;
    }
    await tell('success', begunAt);
    return answer;
  };
};
