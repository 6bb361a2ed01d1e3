/** Milliseconds since the Unix epoch. Code that depends on the time takes a `Clock`, so that tests can set the time. */
export type Clock = () => number;

/** Milliseconds since an arbitrary moment. Measures durations correctly even if the machine's clock is changed. */
export const monotonicClock: Clock = () => performance.now();

/**
 * Follows `wall`, the machine's clock. If `wall` is set back, the returned clock goes on from its latest value instead.
 */
export const forwardClock = (wall: Clock): Clock => {
  let known = wall();
  let elapsed = monotonicClock();
  return () => {
    const passed = monotonicClock() - elapsed;
    elapsed += passed;
    known = Math.max(wall(), known + passed);
    return Math.floor(known);
  };
};

/** The clock that all engines of a system follow. */
export interface EngineClock {
  /** Milliseconds since the Unix epoch. */
  readonly now: Clock;
  /** Milliseconds since an arbitrary moment. Never goes back. */
  readonly elapsed: Clock;
  /** Runs `run` once, after this time by this clock. Does not keep the process alive. Returns a function that cancels. */
  after(milliseconds: number, run: () => void): () => void;
  /**
   * Converts a time of the machine's clock, which the programs follow that engines start, to the time that this clock
   * showed then.
   */
  fromMachine(milliseconds: number): number;
  /** How far this clock is ahead of the machine's clock, in milliseconds, shared with threads. @default not ahead */
  readonly ahead?: Float64Array;
}

export const machineClock: EngineClock = {
  now: () => Date.now(),
  elapsed: monotonicClock,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  fromMachine: (milliseconds) => milliseconds,
};

/** Resolves after this time by the clock. Rejects with the signal's reason if the signal is aborted before. */
export const waitBy = (
  { after }: Pick<EngineClock, 'after'>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = (): void => {
    cancel();
    reject(signal?.reason);
  };
  const cancel = after(milliseconds, () => {
    signal?.removeEventListener('abort', stop);
    resolve();
  });
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  return promise;
};

/** Makes `Date` in this thread as far ahead of the machine's clock as the main thread's clock is. */
export const followClock = (ahead: Float64Array): void => {
  const machine = Date;
  const now: Clock = () => Math.floor(machine.now() + (ahead[0] ?? 0));
  globalThis.Date = new Proxy(machine, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
};
