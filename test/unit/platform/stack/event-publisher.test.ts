import { describe, expect, it } from 'vitest';
import { resourcesOf, type StackResource, templateOf } from '../../../support/platform/stack.ts';

const template = templateOf('prod');

const only = (type: string, which: string): [id: string, properties: StackResource['Properties']] => {
  const found = resourcesOf(template, type).filter(([id]) => id.startsWith(which));
  expect(found).toHaveLength(1);
  return [found[0]?.[0] ?? '', found[0]?.[1].Properties ?? {}];
};

const getAtt = (id: string, attribute: string) => ({ 'Fn::GetAtt': [id, attribute] });

describe('the publisher of events in the template', () => {
  const [publisherId] = only('AWS::Lambda::Function', 'EventPublisher');
  const [eventsId] = only('AWS::DynamoDB::Table', 'OttEvents');
  const [failedChangesId] = only('AWS::SQS::Queue', 'UserDataPublisherFailedChanges');

  it('reads only the events of the stream of the catalogue, many together, and limits its retries', () => {
    const [, mapping] = only('AWS::Lambda::EventSourceMapping', 'EventPublisherChanges');
    const { Filters } = mapping.FilterCriteria as { Filters: { Pattern: string }[] };

    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { dynamodb: { Keys: { pk: { S: [{ prefix: 'EVENT#' }] } } } },
    ]);
    expect(mapping).toMatchObject({
      EventSourceArn: getAtt(eventsId, 'StreamArn'),
      FunctionName: { Ref: publisherId },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1_000,
      MaximumBatchingWindowInSeconds: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 500,
      MaximumRecordAgeInSeconds: 6 * 3_600,
      DestinationConfig: { OnFailure: { Destination: getAtt(failedChangesId, 'Arn') } },
    });
  });

  it('shares no function, and so no environment, with the publisher of users', () => {
    const readers = resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
      .filter(([, { Properties }]) => JSON.stringify(Properties.FunctionName).includes(publisherId))
      .map(([id]) => id);

    expect(readers).toEqual([expect.stringMatching(/^EventPublisherChanges/)]);
  });

  it('has an output with its name, from which the console reads how far it is behind', () => {
    expect(template.Outputs.EventPublisherFunction?.Value).toEqual({ Ref: publisherId });
  });
});
