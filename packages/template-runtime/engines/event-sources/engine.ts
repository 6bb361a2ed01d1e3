import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Identities } from '../iam/types.ts';
import type { LambdaEngine } from '../lambda/types.ts';
import { ServiceFault } from '../service-fault.ts';
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
  const mappings = new Map<string, EventSourceMapping>();
  /** By the mapping's id. */
  const polling = new Map<string, AbortController>();
  const stopping = new AbortController();
  const pollers: Promise<void>[] = [];
  // Each poller adds one or more listeners to its signals, so their number must not be limited.
  setMaxListeners(0, stopping.signal);

  const poll = (mapping: EventSourceMapping): void => {
    const switchedOff = new AbortController();
    setMaxListeners(0, switchedOff.signal);
    polling.set(mapping.id, switchedOff);
    const signal = AbortSignal.any([stopping.signal, switchedOff.signal]);
    setMaxListeners(0, signal);
    const checkpointPath = join(options.stateDirectory, 'event-sources', `${mapping.id}.json`);
    pollers.push(
      mapping.kind === 'stream'
        ? pollStream({ mapping, engines: options, checkpointPath, signal })
        : pollQueue({ mapping, engines: options, signal }),
    );
  };

  const find = (id: string): EventSourceMapping => {
    const found = mappings.get(id);
    if (found === undefined) {
      throw new ServiceFault({
        code: 'ResourceNotFoundException',
        message: 'The resource you requested does not exist.',
        status: 404,
      });
    }
    return found;
  };

  return {
    map: (mapping) => {
      compileFilters(mapping.filters);
      mappings.set(mapping.id, mapping);
    },
    find,
    setEnabled: (id, enabled) => {
      const before = find(id);
      const mapping = { ...before, enabled };
      mappings.set(id, mapping);
      if (before.enabled === enabled) return;
      if (enabled) poll(mapping);
      else polling.get(id)?.abort();
    },
    start: () => {
      for (const mapping of mappings.values()) check(mapping, options);
      for (const mapping of mappings.values()) if (mapping.enabled) poll(mapping);
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
