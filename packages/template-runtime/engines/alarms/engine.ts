import type { Messaging } from '../messaging/types.ts';
import { ServiceFault } from '../service-fault.ts';
import { alarmMessage } from './message.ts';
import type { Alarm, AlarmEngine, AlarmHistoryItem } from './types.ts';

export interface AlarmEngineOptions {
  readonly messaging: Pick<Messaging, 'publish' | 'mayPublish'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** CloudWatch keeps two weeks of history; here it is this many items. */
const historyLength = 1_000;

/** Alarms and their history last as long as the process. */
export const createAlarmEngine = ({ messaging, clock }: AlarmEngineOptions): AlarmEngine => {
  const alarms = new Map<string, Alarm>();
  const history: AlarmHistoryItem[] = [];

  const remember = (item: AlarmHistoryItem): void => {
    history.push(item);
    if (history.length > historyLength) history.shift();
  };

  /** @returns what went wrong, in CloudWatch's words. */
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
      : 'The local runtime knows no action but a topic.';
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

  return {
    declare(declaration) {
      alarms.set(declaration.name, {
        ...declaration,
        state: 'INSUFFICIENT_DATA',
        stateReason: 'Unchecked: Initial alarm creation',
        stateUpdated: new Date(clock()),
      });
    },
    async setState({ name, state, reason, reasonData }) {
      const before = alarms.get(name);
      if (before === undefined) {
        throw new ServiceFault({ code: 'ResourceNotFound', message: 'Unknown alarm', status: 404 });
      }
      if (before.state === state) return;
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
    },
    list: () => [...alarms.values()],
    history: () => history,
  };
};
