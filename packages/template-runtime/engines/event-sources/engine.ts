import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Identities } from '../iam/types.ts';
import type { LambdaEngine } from '../lambda/types.ts';
import { compileFilters } from './filter.ts';
import type { PollerEngines } from './poller.ts';
import { pollQueue } from './queue-poller.ts';
import { pollStream } from './stream-poller.ts';
import type { EventSourceMapping, EventSources } from './types.ts';

export interface EventSourceOptions extends PollerEngines {
  readonly identities: Pick<Identities, 'authorizeRole'>;
  readonly lambda: Pick<LambdaEngine, 'invoke' | 'describe' | 'has'>;
  readonly stateDirectory: string;
}

export const createEventSources = (options: EventSourceOptions): EventSources => {
  const mappings: EventSourceMapping[] = [];
  const stopping = new AbortController();
  const pollers: Promise<void>[] = [];
  const { signal } = stopping;
  // Each poller adds one or more listeners to the signal, so their number must not be limited.
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
    throw new Error(`${mapping.id}: the function ${mapping.functionName} does not exist`);
  }
  const { roleArn, name } = lambda.describe(mapping.functionName);
  for (const [action, resource] of neededCalls(mapping)) {
    const decision = identities.authorizeRole({ roleArn, sessionName: name, action, resources: [resource] });
    if (!decision.allowed) throw new Error(`${mapping.id}: ${decision.message}`);
  }
};

/** The permissions that Lambda checks in the function's role before it creates a mapping. */
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
