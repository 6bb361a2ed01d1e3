import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ExecutionAbortedError, ExecutionTimeoutError, StateMachine } from 'aws-local-stepfunctions';
import { type EngineClock, machineClock } from '../../clock.ts';
import { arn } from '../account.ts';
import type { Identities } from '../iam/types.ts';
import type { LambdaEngine } from '../lambda/types.ts';
import type { Metrics } from '../metrics/types.ts';
import { ServiceFault } from '../service-fault.ts';
import { parseDefinition, type TaskState } from './definition.ts';
import { openExecutionLog } from './execution-log.ts';
import { appendEvent, isTransition } from './history.ts';
import { taskHandler } from './task.ts';
import type { Execution, HistoryEvent, StateMachineDescription, StateMachines } from './types.ts';

interface Registered {
  readonly description: StateMachineDescription;
  readonly interpreter: StateMachine;
  readonly tasks: readonly TaskState[];
}

interface Running {
  execution: Execution;
  readonly events: HistoryEvent[];
  readonly abort: () => void;
  readonly ended: Promise<void>;
}

const measuredAs: Readonly<Partial<Record<Execution['status'], string>>> = {
  ABORTED: 'ExecutionsAborted',
  FAILED: 'ExecutionsFailed',
  TIMED_OUT: 'ExecutionsTimedOut',
};

const keptHistories = 1_000;

export const createStateMachines = ({
  stateDirectory,
  lambda,
  identities,
  metrics,
  clock = machineClock,
}: {
  readonly stateDirectory: string;
  /** @default the machine's clock */
  readonly clock?: EngineClock;
  readonly metrics?: Pick<Metrics, 'put'>;
  readonly lambda: Pick<LambdaEngine, 'invoke'>;
  readonly identities: Pick<Identities, 'authorizeRole'>;
}): StateMachines => {
  const log = openExecutionLog(join(stateDirectory, 'executions.jsonl'));
  const date = (): Date => new Date(clock.now());
  const machines = new Map<string, Registered>();
  const executions = new Map<string, Execution>(log.earlier.map((each) => [each.executionArn, each]));
  const running = new Map<string, Running>();
  const histories = new Map<string, readonly HistoryEvent[]>();

  const machine = (stateMachineArn: string): Registered => {
    const found = machines.get(stateMachineArn);
    if (!found) {
      throw new ServiceFault({
        code: 'StateMachineDoesNotExist',
        message: `State Machine Does Not Exist: '${stateMachineArn}'`,
      });
    }
    return found;
  };
  const find = (executionArn: string): Execution => {
    const found = running.get(executionArn)?.execution ?? executions.get(executionArn);
    if (!found) {
      throw new ServiceFault({
        code: 'ExecutionDoesNotExist',
        message: `Execution Does Not Exist: '${executionArn}'`,
      });
    }
    return found;
  };
  const close = (executionArn: string, outcome: Partial<Execution> & Pick<Execution, 'status'>): void => {
    const entry = running.get(executionArn);
    if (!entry) return;
    const closed: Execution = { ...entry.execution, ...outcome, stopDate: date() };
    executions.set(executionArn, closed);
    histories.set(executionArn, entry.events);
    running.delete(executionArn);
    log.record(closed);
    const measured = measuredAs[closed.status];
    if (measured !== undefined) {
      const { stateMachineArn } = closed;
      const dimensions = { StateMachineArn: stateMachineArn };
      metrics?.put({ namespace: 'AWS/States', name: measured, dimensions, value: 1, at: clock.now() });
    }
    const [oldest] = histories.size > keptHistories ? histories.keys() : [];
    if (oldest !== undefined) histories.delete(oldest);
  };
  const outcomeOf = (error: unknown): Partial<Execution> & Pick<Execution, 'status'> => {
    if (error instanceof ExecutionAbortedError) return { status: 'ABORTED' };
    if (error instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' };
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error
      ? { status: 'FAILED', error: cause.name, cause: cause.message }
      : { status: 'FAILED', error: 'States.Runtime', cause: String(cause) };
  };

  const launch = (registered: Registered, execution: Execution): void => {
    const { description, interpreter, tasks } = registered;
    const { executionArn } = execution;
    const run = interpreter.run(JSON.parse(execution.input), {
      context: {
        Execution: { Id: executionArn, Name: execution.name, RoleArn: description.roleArn },
        StateMachine: { Id: description.arn, Name: description.name },
      },
      overrides: {
        taskResourceLocalHandlers: Object.fromEntries(
          tasks.map((task) => [
            task.name,
            taskHandler({
              lambda,
              identities,
              roleArn: description.roleArn,
              executionName: execution.name,
              resource: task.resource,
            }),
          ]),
        ),
        // The interpreter's timers follow the machine's clock. Where it is not the system's clock, a retry is due at once.
        ...(clock.ahead !== undefined && {
          retryIntervalOverrides: Object.fromEntries(tasks.map(({ name }) => [name, 0])),
        }),
      },
    });
    const events: HistoryEvent[] = [];
    const follow = async (): Promise<void> => {
      for await (const event of run.eventLogs) {
        appendEvent(events, event);
        const entry = running.get(executionArn);
        if (entry && isTransition(event)) {
          entry.execution = { ...entry.execution, transitions: entry.execution.transitions + 1 };
        }
      }
    };
    const watch = async (): Promise<void> => {
      const followed = follow();
      const outcome = await run.result.then(
        (output) => ({ status: 'SUCCEEDED' as const, output: JSON.stringify(output) }),
        outcomeOf,
      );
      await followed;
      close(executionArn, outcome);
    };
    // The interpreter emits its first event only after this turn of the event loop, so `watch` misses no event.
    running.set(executionArn, { execution, events, abort: run.abort, ended: watch() });
  };

  return {
    register(declaration) {
      const { definition, tasks } = parseDefinition(declaration.definition);
      machines.set(declaration.arn, {
        description: { ...declaration, creationDate: date() },
        interpreter: new StateMachine(definition, { validationOptions: { checkArn: false } }),
        tasks,
      });
    },
    list: () => [...machines.values()].map(({ description }) => description),
    describe: (stateMachineArn) => machine(stateMachineArn).description,
    start({ stateMachineArn, name = randomUUID(), input }) {
      const registered = machine(stateMachineArn);
      const executionArn = arn('states', `execution:${registered.description.name}:${name}`);
      const current = running.get(executionArn)?.execution;
      if (current && current.input === input) return current;
      if (current || executions.has(executionArn)) {
        throw new ServiceFault({
          code: 'ExecutionAlreadyExists',
          message: `Execution Already Exists: '${executionArn}'`,
        });
      }
      const execution: Execution = {
        executionArn,
        stateMachineArn,
        name,
        status: 'RUNNING',
        startDate: date(),
        input,
        transitions: 1,
      };
      log.record(execution);
      launch(registered, execution);
      return execution;
    },
    execution: find,
    executions({ stateMachineArn, status }) {
      machine(stateMachineArn);
      return [...executions.values(), ...[...running.values()].map(({ execution }) => execution)]
        .filter((each) => each.stateMachineArn === stateMachineArn && (!status || each.status === status))
        .sort((one, other) => other.startDate.getTime() - one.startDate.getTime());
    },
    history(executionArn) {
      find(executionArn);
      return running.get(executionArn)?.events ?? histories.get(executionArn) ?? [];
    },
    stopExecution({ executionArn, error, cause }) {
      const entry = running.get(executionArn);
      if (!entry) return find(executionArn);
      entry.abort();
      close(executionArn, {
        status: 'ABORTED',
        ...(error !== undefined && { error }),
        ...(cause !== undefined && { cause }),
      });
      return find(executionArn);
    },
    async stop() {
      const entries = [...running.values()];
      for (const entry of entries) entry.abort();
      await Promise.all(entries.map((entry) => entry.ended));
    },
  };
};
