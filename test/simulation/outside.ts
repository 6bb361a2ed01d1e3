/** Calls of a process to a service other than the database: lost, unanswered, refused, and repeated by the SDK. */
import type { Faults } from './faults.ts';
import type { FunctionSurroundings } from './functions.ts';
import type { Process } from './process.ts';
import { between } from './streams.ts';

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

class ThrottledException extends Error {
  override readonly name = 'ThrottledException';
  readonly $fault = 'client';
}

export interface OutsideOptions {
  readonly service: 'topic' | 'queue';
  readonly maxAttempts: number;
  readonly requestTimeoutMilliseconds: number;
}

export type OutsideCall = <Answer>(what: string, execute: () => Answer) => Promise<Answer>;

export const outsideCalls = (
  process: Process,
  { scheduler, streams, faults, history }: FunctionSurroundings,
  { service, maxAttempts, requestTimeoutMilliseconds }: OutsideOptions,
): OutsideCall => {
  const strikes = (kind: Parameters<Faults['strike']>[0]): boolean => faults.strike(kind, process.task);

  const attempt = <Answer>(what: string, execute: () => Answer): Promise<Answer> => {
    const latency = between(streams.of(`${service} @ ${process.task}`), 5, 60);
    const say = (how: string): void => history.say(`${process.name} (${process.task})`, `${what} → ${how}`);
    const silence = (): Promise<never> =>
      process.after(requestTimeoutMilliseconds, () => {
        throw new TimeoutError(`The ${service} did not answer`);
      });
    if (strikes('process: dies before a call')) {
      say('the process dies before it');
      process.die();
      return new Promise(() => {});
    }
    if (strikes(`${service}: throttled`)) {
      say('throttled');
      return process.after(latency, () => {
        throw new ThrottledException('The rate is exceeded');
      });
    }
    if (strikes(`${service}: call lost`)) {
      say('lost, without effect');
      return silence();
    }
    const isLost = strikes(`${service}: answer lost`);
    const diesAfter = strikes('process: dies after a call');
    let answer: { readonly value: Answer } | undefined;
    scheduler.at(scheduler.now() + Math.ceil(latency / 2), () => {
      answer = { value: execute() };
      say(isLost ? 'executed, but the answer is lost' : 'ok');
      if (!diesAfter) return;
      history.say(process.name, 'dies');
      process.die();
    });
    if (isLost) return silence();
    return process.after(latency, () => {
      if (answer === undefined) throw new TimeoutError(`The ${service} did not answer`);
      return answer.value;
    });
  };

  return async (what, execute) => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(what, execute);
      } catch (error) {
        if (tried >= maxAttempts) throw error;
        await process.after(
          between(streams.of(`${service} @ ${process.task}`), 0, 50 * 2 ** tried),
          () => {},
        );
      }
    }
  };
};
