import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloudWatchAlarms } from '../../../operator/stage/smoke/cloudwatch-alarms.ts';
import {
  type AwsAnswer,
  answering,
  operationOf,
  startScriptedAws,
} from '../../support/platform/scripted-aws.ts';

let aws: Awaited<ReturnType<typeof startScriptedAws>>;
beforeAll(async () => {
  aws = await startScriptedAws();
});
afterAll(() => aws.stop());

/** An alarm that is in these states, one after the other, whenever it is read. The last state stays. */
const inStates = (...states: readonly string[]): AwsAnswer => {
  let reads = 0;
  return (outgoing, call) => {
    if (operationOf(call) !== 'DescribeAlarms') return answering(200, {})(outgoing, call);
    const StateValue = states[Math.min(reads, states.length - 1)];
    reads += 1;
    const alarm = { AlarmName: 'test', StateValue, StateUpdatedTimestamp: 1_000 + reads };
    return answering(200, { MetricAlarms: [alarm] })(outgoing, call);
  };
};
const setAlarm = () =>
  cloudWatchAlarms(aws.settings).setState({ name: 'test', state: 'ALARM', reason: 'a test' });
const settings = () => aws.calls().filter((call) => operationOf(call) === 'SetAlarmState');

describe('the state of an alarm', () => {
  it('is set again if CloudWatch evaluated the alarm before the state could be read', async () => {
    aws.answer(inStates('OK', 'ALARM'));

    expect(await setAlarm()).toEqual(new Date(1_002_000));
    expect(settings()).toHaveLength(2);
  });

  it('is given up if CloudWatch resets it each time', async () => {
    aws.answer(inStates('OK'));

    await expect(setAlarm()).rejects.toThrow('The alarm test does not stay in ALARM.');
  });
});
