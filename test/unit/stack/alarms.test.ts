import { describe, expect, it } from 'vitest';
import { resourcesOf, templateOf } from '../../support/stack.ts';

const template = templateOf('prod');
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => ({
  id,
  ...Properties,
}));
type Alarm = (typeof alarms)[number] & Readonly<Record<string, unknown>>;

const watching = (metric: string, resource: unknown) =>
  (alarms as Alarm[]).filter(
    ({ MetricName, Dimensions }) =>
      MetricName === metric && JSON.stringify(Dimensions ?? []).includes(`"${resource}"`),
  );

describe('alarms', () => {
  it.each(['Errors', 'Throttles'])('watch %s of every function', (metric) => {
    const unwatched = resourcesOf(template, 'AWS::Lambda::Function')
      .map(([id]) => id)
      .filter((id) => watching(metric, id).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it('watch the depth of every queue', () => {
    const unwatched = resourcesOf(template, 'AWS::SQS::Queue')
      .map(([id]) => id)
      .filter((id) => watching('ApproximateNumberOfMessagesVisible', id).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it('watch how far every stream reader is behind', () => {
    const unwatched = resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
      .map(([, { Properties }]) => (Properties.FunctionName as { Ref: string }).Ref)
      .filter((id) => watching('IteratorAge', id).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it.each(['5XXError', 'Latency'])('watch %s of every API', (metric) => {
    const unwatched = resourcesOf(template, 'AWS::ApiGateway::RestApi')
      .map(([, { Properties }]) => Properties.Name)
      .filter((name) => watching(metric, name).length !== 1);

    expect(unwatched).toEqual([]);
  });

  it('watch every state machine for executions that fail', () => {
    const unwatched = resourcesOf(template, 'AWS::StepFunctions::StateMachine').filter(
      ([id]) => watching('ExecutionsFailed', id).length !== 1,
    );

    expect(unwatched).toEqual([]);
  });

  it('say what goes wrong and name a runbook, and tell the same topic when they go off and when it is over', () => {
    for (const { AlarmDescription, AlarmActions, OKActions } of alarms as Alarm[]) {
      expect(AlarmDescription).toMatch(/^.{20,}\. What to do: docs\/runbook\.md#[a-z0-9-]+$/s);
      expect(AlarmActions).toHaveLength(1);
      expect(OKActions).toEqual(AlarmActions);
    }
  });
});
