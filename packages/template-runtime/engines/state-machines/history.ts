import type { StateMachine } from 'aws-local-stepfunctions';
import type { HistoryEvent } from './types.ts';

type RunningExecution = ReturnType<StateMachine['run']>;
export type InterpreterEvent =
  RunningExecution['eventLogs'] extends AsyncGenerator<infer Event> ? Event : never;

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/**
 * Translates an event of the interpreter into an event of GetExecutionHistory. Returns `undefined` if AWS has no such
 * event.
 */
const translate = (
  event: InterpreterEvent,
): { type: string; details: Record<string, unknown> } | undefined => {
  switch (event.type) {
    case 'ExecutionStarted':
      return { type: event.type, details: { executionStartedEventDetails: { input: text(event.input) } } };
    case 'ExecutionSucceeded':
      return {
        type: event.type,
        details: { executionSucceededEventDetails: { output: text(event.output) } },
      };
    case 'ExecutionFailed':
      return {
        type: event.type,
        details: { executionFailedEventDetails: { error: event.Error, cause: text(event.Cause) } },
      };
    case 'ExecutionAborted':
      return { type: event.type, details: { executionAbortedEventDetails: {} } };
    case 'ExecutionTimeout':
      return { type: 'ExecutionTimedOut', details: { executionTimedOutEventDetails: {} } };
    case 'StateEntered':
      return {
        type: `${event.state.type}StateEntered`,
        details: { stateEnteredEventDetails: { name: event.state.name, input: text(event.state.input) } },
      };
    case 'StateExited':
      return {
        type: `${event.state.type}StateExited`,
        details: { stateExitedEventDetails: { name: event.state.name, output: text(event.state.output) } },
      };
    case 'StateFailed':
      return {
        type: 'TaskFailed',
        details: {
          taskFailedEventDetails: {
            resource: 'invoke',
            resourceType: 'lambda',
            error: event.Error,
            cause: text(event.Cause),
          },
        },
      };
    case 'MapIterationStarted':
    case 'MapIterationSucceeded':
    case 'MapIterationFailed': {
      const field = event.type.replace('Map', 'map');
      return {
        type: event.type,
        details: { [`${field}EventDetails`]: { name: event.parentState.name, index: event.index } },
      };
    }
    default:
      return undefined;
  }
};

export const isTransition = (event: InterpreterEvent): boolean =>
  event.type === 'StateEntered' || event.type === 'StateRetried';

export const appendEvent = (history: HistoryEvent[], event: InterpreterEvent): void => {
  const translated = translate(event);
  if (!translated) return;
  const id = history.length + 1;
  history.push({ id, previousEventId: id - 1, timestamp: new Date(event.timestamp), ...translated });
};
