/** The service's functions, as Lambda runs them: instances that are used again, die, freeze, and end at their timeout. */
import type { Random } from '../support/platform/seeded-random.ts';
import type { FaultKind, Faults } from './faults.ts';
import type { History } from './history.ts';
import { createProcess, type Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import { between, oneOf, type Streams } from './streams.ts';

/** There was no answer from the function: it died, was frozen, or ran out of time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

interface Instance<Handler> {
  readonly process: Process;
  readonly handler: Handler;
  isBusy: boolean;
}

export interface SimulatedFunction<Handler> {
  /** @param task A name that is the same whatever else happens in the world: faults are drawn by it. */
  invoke<Result>(
    task: string,
    call: (handler: Handler, process: Process) => Promise<Result>,
  ): Promise<Result>;
}

interface FunctionOptions<Handler> {
  readonly name: string;
  readonly timeoutMilliseconds: number;
  /** Whether the calls of an invocation are aborted before the function's timeout. @default false */
  readonly hasDeadline?: boolean;
  /** Whether no call begins after the function's timeout, even if the instance was suspended. @default false */
  readonly isOverAtTimeout?: boolean;
  readonly make: (process: Process) => Handler;
}

export interface FunctionSurroundings {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly faults: Faults;
  readonly history: History;
  /** Called with each line that a process logs. @default nobody reads them */
  readonly onLog?: ((message: string, fields: Readonly<Record<string, unknown>>) => void) | undefined;
}

const clockOffsetOf = ({ streams, faults }: FunctionSurroundings, name: string): number =>
  faults.strike('process: clock apart' satisfies FaultKind, name)
    ? between(streams.of(`clock of ${name}`), -30_000, 30_000)
    : 0;

/** How long an invocation has: few take longer than a second, so most are cut off before. */
const deadlineOf = (random: Random): number => between(random, 5, oneOf(random, [200, 1_000, 9_500]));

export const simulatedFunction = <Handler>(
  surroundings: FunctionSurroundings,
  { name, timeoutMilliseconds, hasDeadline = false, isOverAtTimeout = false, make }: FunctionOptions<Handler>,
): SimulatedFunction<Handler> => {
  const { scheduler, streams, faults, history } = surroundings;
  const instances: Instance<Handler>[] = [];
  let made = 0;

  const start = (): Instance<Handler> => {
    made += 1;
    const instanceName = `${name} ${made}`;
    const process = createProcess(scheduler, {
      name: instanceName,
      clockOffset: clockOffsetOf(surroundings, instanceName),
    });
    const instance = { process, handler: make(process), isBusy: false };
    instances.push(instance);
    return instance;
  };

  return {
    invoke: <Result>(task: string, call: (handler: Handler, process: Process) => Promise<Result>) => {
      const instance =
        instances.find(({ isBusy, process }) => !isBusy && !process.isDead() && !process.isFrozen()) ??
        start();
      const { process, handler } = instance;
      instance.isBusy = true;
      process.task = task;
      const isHurried = hasDeadline && faults.strike('process: reaches its deadline', task);
      process.deadline = isHurried
        ? scheduler.now() + deadlineOf(streams.of(`deadline of ${task}`))
        : isOverAtTimeout
          ? scheduler.now() + timeoutMilliseconds
          : Number.POSITIVE_INFINITY;
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const noAnswer = (why: string): void => {
        history.say(process.name, why);
        reject(new NoAnswer(`${process.name} ${why}`));
      };
      process.onDeath(() => noAnswer(`died in ${task}`));
      scheduler.at(scheduler.now() + timeoutMilliseconds, () => {
        if (!instance.isBusy || process.task !== task) return;
        // A suspended function continues when it thaws. Any other function is ended.
        if (process.isFrozen()) noAnswer(`is suspended in ${task}`);
        else process.die();
      });
      const end = (): void => {
        instance.isBusy = false;
      };
      call(handler, process).then(
        (result) => {
          end();
          resolve(result);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
      return promise;
    },
  };
};
