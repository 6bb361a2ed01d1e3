import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileDurably } from '../../durable-file.ts';
import type { Messaging } from '../messaging/types.ts';
import type { Metrics } from '../metrics/types.ts';
import { ServiceFault } from '../service-fault.ts';
import { evaluate, watchedBy } from './evaluation.ts';
import { alarmMessage } from './message.ts';
import type { Alarm, AlarmEngine, AlarmHistoryItem } from './types.ts';

export interface AlarmEngineOptions {
  readonly stateDirectory: string;
  readonly metrics: Pick<Metrics, 'query'>;
  readonly onError: (error: unknown) => void;
  readonly messaging: Pick<Messaging, 'publish' | 'mayPublish'>;
  readonly clock: () => number;
}

const tickMilliseconds = 1_000;
/** Metrics are read from the functions' logs, so the values of a minute are complete only this long after its end. */
const lateMilliseconds = 2_000;

const historyLength = 1_000;

const savedStates = z.record(
  z.string(),
  z.object({
    state: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']),
    stateReason: z.string(),
    stateUpdated: z.coerce.date(),
  }),
);

const readStates = (file: string): z.output<typeof savedStates> =>
  existsSync(file) ? savedStates.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};

/**
 * Alarm states survive a restart, so that no alarm notifies twice of one state change. Alarm history does not survive.
 */
export const createAlarmEngine = ({
  stateDirectory,
  metrics,
  messaging,
  clock,
  onError,
}: AlarmEngineOptions): AlarmEngine => {
  const file = join(stateDirectory, 'alarms.json');
  const earlier = readStates(file);
  /** While the runtime does not run, nothing is measured. */
  const since = clock();
  const alarms = new Map<string, Alarm>();
  const history: AlarmHistoryItem[] = [];

  const remember = (item: AlarmHistoryItem): void => {
    history.push(item);
    if (history.length > historyLength) history.shift();
  };

  /** @returns CloudWatch's error text, or `undefined` if the alarm's message was published. */
  const tell = async (topicArn: string, alarm: Alarm, before: Alarm): Promise<string | undefined> => {
    const service = 'cloudwatch.amazonaws.com';
    const verdict = await messaging.mayPublish({ topicArn, service, sourceArn: alarm.arn });
    if (verdict === 'refused by the topic') {
      return `CloudWatch Alarms is not authorized to perform: SNS:Publish on resource: ${topicArn} because no resource-based policy allows the SNS:Publish action`;
    }
    if (verdict === 'refused by the key') {
      return 'CloudWatch Alarms does not have authorization to access the SNS topic encryption key.';
    }
    try {
      await messaging.publish({ topicArn, ...alarmMessage(alarm, before) });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  const act = async (action: string, alarm: Alarm, before: Alarm): Promise<void> => {
    const error = action.startsWith('arn:aws:sns:')
      ? await tell(action, alarm, before)
      : 'The local runtime supports only SNS topics as alarm actions.';
    remember({
      alarmName: alarm.name,
      type: 'Action',
      time: new Date(clock()),
      summary:
        error === undefined
          ? `Successfully executed action ${action}`
          : `Failed to execute action ${action}. Received error: "${error}"`,
      data: JSON.stringify({
        actionState: error === undefined ? 'Succeeded' : 'Failed',
        stateUpdateTimestamp: alarm.stateUpdated.getTime(),
        notificationResource: action,
        publishedMessage: JSON.stringify({ default: alarmMessage(alarm, before).message }),
        error: error ?? null,
      }),
    });
  };

  const save = (): void => {
    const states = [...alarms.values()].map(({ name, state, stateReason, stateUpdated }) => [
      name,
      { state, stateReason, stateUpdated },
    ]);
    writeFileDurably(file, JSON.stringify(Object.fromEntries(states)));
  };

  const change = async (
    before: Alarm,
    { state, reason, reasonData }: Omit<Parameters<AlarmEngine['setState']>[0], 'name'>,
  ): Promise<void> => {
    const { name } = before;
    const { stateReasonData: _, ...kept } = before;
    const alarm: Alarm = {
      ...kept,
      state,
      stateReason: reason,
      ...(reasonData !== undefined && { stateReasonData: reasonData }),
      stateUpdated: new Date(clock()),
    };
    alarms.set(name, alarm);
    remember({
      alarmName: name,
      type: 'StateUpdate',
      time: alarm.stateUpdated,
      summary: `Alarm updated from ${before.state} to ${state}`,
      data: JSON.stringify({
        version: '1.0',
        oldState: { stateValue: before.state, stateReason: before.stateReason },
        newState: { stateValue: state, stateReason: reason },
      }),
    });
    if (!alarm.actionsEnabled) return;
    for (const action of alarm.actions[state]) await act(action, alarm, before);
  };

  const evaluateAll = async (): Promise<void> => {
    let hasChanged = false;
    for (const alarm of [...alarms.values()]) {
      const watched = watchedBy(alarm);
      if (typeof watched === 'string') continue;
      const found = evaluate(watched, metrics, { now: clock(), since });
      if (found === undefined || found.state === alarm.state) continue;
      hasChanged = true;
      await change(alarm, found);
    }
    if (hasChanged) save();
  };
  let evaluation: Promise<void> | undefined;
  /** Runs one evaluation at a time. Otherwise two evaluations could both report the same change. */
  const run = (): Promise<void> => {
    evaluation ??= evaluateAll().finally(() => {
      evaluation = undefined;
    });
    return evaluation;
  };
  let timer: NodeJS.Timeout | undefined;
  let evaluatedMinute: number | undefined;
  const tick = (): void => {
    const minute = Math.floor((clock() - lateMilliseconds) / 60_000);
    if (evaluation !== undefined || minute === evaluatedMinute) return;
    evaluatedMinute = minute;
    run().catch(onError);
  };

  return {
    declare(declaration) {
      const watched = watchedBy(declaration);
      const known = typeof watched === 'string' ? undefined : earlier[declaration.name];
      alarms.set(declaration.name, {
        ...declaration,
        state: 'INSUFFICIENT_DATA',
        stateReason:
          typeof watched === 'string' ? `Not evaluated: ${watched}` : 'Unchecked: Initial alarm creation',
        stateUpdated: new Date(clock()),
        ...known,
      });
    },
    async setState({ name, ...wanted }) {
      const before = alarms.get(name);
      if (before === undefined) {
        throw new ServiceFault({ code: 'ResourceNotFound', message: 'Unknown alarm', status: 404 });
      }
      if (before.state === wanted.state) return;
      await change(before, wanted);
      save();
    },
    evaluate: run,
    start() {
      tick();
      timer = setInterval(tick, tickMilliseconds);
    },
    async stop() {
      clearInterval(timer);
      await evaluation?.catch(() => {});
    },
    list: () => [...alarms.values()],
    history: () => history,
  };
};
