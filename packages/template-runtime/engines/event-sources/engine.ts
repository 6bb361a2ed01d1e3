import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Identities } from '../iam/engine.ts';
import type { LambdaEngine } from '../lambda/engine.ts';
import { compileFilters } from './filter.ts';
import type { PollerEngines } from './poller.ts';
import { pollQueue } from './queue-poller.ts';
import { pollStream } from './stream-poller.ts';

export type EventSourceKind = 'stream' | 'queue';

/** A mapping as `AWS::Lambda::EventSourceMapping` declares it, with Lambda's defaults filled in. */
export interface EventSourceMapping {
  /** Stable over restarts: checkpoints are kept under it. */
  readonly id: string;
  readonly kind: EventSourceKind;
  /** ARN of a table's stream or of a queue. */
  readonly eventSourceArn: string;
  /** Name or ARN of the function. */
  readonly functionName: string;
  readonly enabled: boolean;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  /** Streams only. */
  readonly startingPosition?: 'TRIM_HORIZON' | 'LATEST';
  readonly filters: readonly unknown[];
  readonly reportBatchItemFailures: boolean;
  readonly bisectBatchOnFunctionError: boolean;
  /** Streams only; -1 is without end. */
  readonly maximumRetryAttempts: number;
  /** Streams only; -1 is without end. */
  readonly maximumRecordAgeSeconds: number;
  /** Streams only: ARN of a queue or topic that is told of a discarded batch. */
  readonly onFailureArn?: string;
  /** Queues only: how many batches may be in flight at once. */
  readonly maximumConcurrency?: number;
}

/** What stands in for Lambda's pollers. Polls under the function's own role, as Lambda does. */
export interface EventSources {
  map(mapping: EventSourceMapping): void;
  /**
   * Begins to poll; to be called when everything is deployed. Throws when a mapping could not work on AWS: its function
   * is missing, or the function's role may not read the source.
   */
  start(): void;
  stop(): Promise<void>;
}

export interface EventSourceOptions extends PollerEngines {
  readonly identities: Pick<Identities, 'authorizeRole'>;
  readonly lambda: Pick<LambdaEngine, 'invoke' | 'describe' | 'has'>;
  /** Checkpoints of streams are kept here. */
  readonly stateDirectory: string;
}

export const createEventSources = (options: EventSourceOptions): EventSources => {
  const mappings: EventSourceMapping[] = [];
  const stopping = new AbortController();
  const pollers: Promise<void>[] = [];
  const { signal } = stopping;
  // Every poller listens, some of them more than once.
  setMaxListeners(0, signal);

  return {
    map: (mapping) => {
      compileFilters(mapping.filters);
      mappings.push(mapping);
    },
    start: () => {
      for (const mapping of mappings) check(mapping, options);
      for (const mapping of mappings.filter(({ enabled }) => enabled)) {
        const checkpointPath = join(options.stateDirectory, 'event-sources', `${mapping.id}.json`);
        pollers.push(
          mapping.kind === 'stream'
            ? pollStream({ mapping, engines: options, checkpointPath, signal })
            : pollQueue({ mapping, engines: options, signal }),
        );
      }
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(pollers);
    },
  };
};

const check = (mapping: EventSourceMapping, { lambda, identities }: EventSourceOptions): void => {
  if (!lambda.has(mapping.functionName)) {
    throw new Error(`${mapping.id}: there is no function ${mapping.functionName}`);
  }
  const { roleArn, name } = lambda.describe(mapping.functionName);
  for (const [action, resource] of neededCalls(mapping)) {
    const decision = identities.authorizeRole({ roleArn, sessionName: name, action, resources: [resource] });
    if (!decision.allowed) throw new Error(`${mapping.id}: ${decision.message}`);
  }
};

/** What Lambda checks the function's role for before it makes a mapping. */
const neededCalls = ({
  kind,
  eventSourceArn,
  onFailureArn,
}: EventSourceMapping): ReadonlyArray<readonly [string, string]> => [
  ...(kind === 'queue'
    ? ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(
        (call) => [`sqs:${call}`, eventSourceArn] as const,
      )
    : [
        ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map(
          (call) => [`dynamodb:${call}`, eventSourceArn] as const,
        ),
        ['dynamodb:ListStreams', eventSourceArn.replace(/\/stream\/.*$/, '/stream/*')] as const,
      ]),
  ...(onFailureArn === undefined
    ? []
    : [[onFailureArn.startsWith('arn:aws:sns:') ? 'sns:Publish' : 'sqs:SendMessage', onFailureArn] as const]),
];
