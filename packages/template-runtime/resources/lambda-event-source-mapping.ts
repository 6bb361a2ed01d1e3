import * as z from 'zod';
import type { Engines } from '../engines/engines.ts';
import type { EventSourceKind } from '../engines/event-sources/types.ts';
import { jsonText } from './json-text.ts';
import { physicalName } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const properties = z.strictObject({
  BatchSize: z.number().min(1).max(10_000).optional(),
  BisectBatchOnFunctionError: z.boolean().default(false),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }).optional(),
  Enabled: z.boolean().default(true),
  EventSourceArn: z.string(),
  FilterCriteria: z.strictObject({ Filters: z.array(z.strictObject({ Pattern: jsonText })) }).optional(),
  FunctionName: z.string(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  MaximumBatchingWindowInSeconds: z.number().min(0).max(300).default(0),
  MaximumRecordAgeInSeconds: z.number().default(-1),
  MaximumRetryAttempts: z.number().default(-1),
  /** Has no effect: one batch at a time is delivered. This keeps the order within each key, as Lambda guarantees it. */
  ParallelizationFactor: z.int().min(1).max(10).optional(),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.number().min(2) }).optional(),
  StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']).optional(),
  Tags: tags.optional(),
});

export const lambdaEventSourceMapping = resourceType({
  type: 'AWS::Lambda::EventSourceMapping',
  properties,
  deploy: async (mapping, context) => {
    const id = physicalName(context, 128);
    const kind = kindOf(mapping.EventSourceArn);
    checkKind(kind, mapping);
    if (kind === 'queue') await checkVisibility(mapping, context.engines);
    context.engines.eventSources.map({
      id,
      kind,
      eventSourceArn: mapping.EventSourceArn,
      functionName: mapping.FunctionName,
      enabled: mapping.Enabled,
      batchSize: mapping.BatchSize ?? (kind === 'queue' ? 10 : 100),
      batchingWindowSeconds: mapping.MaximumBatchingWindowInSeconds,
      filters: mapping.FilterCriteria?.Filters.map(({ Pattern }) => Pattern) ?? [],
      reportBatchItemFailures: mapping.FunctionResponseTypes.length > 0,
      bisectBatchOnFunctionError: mapping.BisectBatchOnFunctionError,
      maximumRetryAttempts: mapping.MaximumRetryAttempts,
      maximumRecordAgeSeconds: mapping.MaximumRecordAgeInSeconds,
      ...(mapping.StartingPosition && { startingPosition: mapping.StartingPosition }),
      ...(mapping.DestinationConfig && { onFailureArn: mapping.DestinationConfig.OnFailure.Destination }),
      ...(mapping.ScalingConfig && { maximumConcurrency: mapping.ScalingConfig.MaximumConcurrency }),
      tags: Object.fromEntries(mapping.Tags?.map(({ Key, Value }) => [Key, Value]) ?? []),
    });
    return { ref: id };
  },
});

const kindOf = (eventSourceArn: string): EventSourceKind => {
  if (/^arn:aws:dynamodb:[^:]+:\d+:table\/[^/]+\/stream\//.test(eventSourceArn)) return 'stream';
  if (eventSourceArn.startsWith('arn:aws:sqs:')) return 'queue';
  throw new Error(`${eventSourceArn} is neither a DynamoDB stream nor an SQS queue`);
};

/** Throws on settings that Lambda refuses for this kind of source. */
const checkKind = (kind: EventSourceKind, mapping: z.output<typeof properties>): void => {
  if (kind === 'stream') {
    if (mapping.StartingPosition === undefined) throw new Error('StartingPosition is required for a stream');
    if (mapping.ScalingConfig !== undefined) throw new Error('ScalingConfig is allowed only for a queue');
    return;
  }
  const isForStreamsOnly =
    mapping.StartingPosition !== undefined ||
    mapping.ParallelizationFactor !== undefined ||
    mapping.BisectBatchOnFunctionError ||
    mapping.DestinationConfig !== undefined ||
    mapping.MaximumRetryAttempts !== -1 ||
    mapping.MaximumRecordAgeInSeconds !== -1;
  if (isForStreamsOnly) throw new Error('a property is set that is allowed only for a stream');
  if ((mapping.BatchSize ?? 10) > 10 && mapping.MaximumBatchingWindowInSeconds === 0) {
    throw new Error('MaximumBatchingWindowInSeconds is required when BatchSize is over 10');
  }
};

/**
 * Throws if the queue's visibility timeout is shorter than the function's timeout. A message could then be delivered
 * again while the function still handles it.
 */
const checkVisibility = async (
  { EventSourceArn, FunctionName }: z.output<typeof properties>,
  { lambda, messaging }: Pick<Engines, 'lambda' | 'messaging'>,
): Promise<void> => {
  const { VisibilityTimeout } = await messaging.queueAttributes(EventSourceArn);
  const { timeoutSeconds } = lambda.describe(FunctionName);
  if (Number(VisibilityTimeout) < timeoutSeconds) {
    throw new Error(
      `Queue visibility timeout: ${VisibilityTimeout} seconds is less than Function timeout: ${timeoutSeconds} seconds`,
    );
  }
};
