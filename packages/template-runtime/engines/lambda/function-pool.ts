import { availableParallelism } from 'node:os';
import { type EnvironmentOptions, ExecutionEnvironment, type Outcome } from './execution-environment.ts';

interface Call {
  readonly requestId: string;
  readonly event: string;
  readonly signal?: AbortSignal | undefined;
}

interface Job extends Call {
  readonly settle: (outcome: Outcome | 'given up') => void;
}

interface IdleEnvironment {
  readonly environment: ExecutionEnvironment;
  readonly since: number;
}

export interface PoolOptions {
  readonly maximumConcurrency: number;
  readonly environment: Omit<EnvironmentOptions, 'onEnd'>;
}

/** How many environments may start at the same time. More would only slow each other down. */
const startingAtMost = availableParallelism();

/**
 * The execution environments of one function. When a call has to wait, another environment starts, up to the maximum.
 */
export class FunctionPool {
  readonly #options: PoolOptions;
  readonly #environments = new Set<ExecutionEnvironment>();
  /** Environments without a call. The most recently used one is reused first, so that only a few stay warm. */
  readonly #idle: IdleEnvironment[] = [];
  readonly #queue: Job[] = [];
  #starting = 0;
  #stopped = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  run(call: Call): Promise<Outcome | 'given up'> {
    const { promise, resolve } = Promise.withResolvers<Outcome | 'given up'>();
    this.#queue.push({ ...call, settle: resolve });
    this.#dispatch();
    return promise;
  }

  reap(idleMilliseconds: number): void {
    const usedBefore = performance.now() - idleMilliseconds;
    const unused = this.#idle.filter(({ since }) => since < usedBefore);
    this.#idle.splice(0, unused.length);
    for (const { environment } of unused) void environment.terminate();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#environments].map((environment) => environment.terminate()));
    for (const job of this.#queue.splice(0)) {
      job.settle({
        kind: 'failed',
        error: { errorType: 'Runtime.ExitError', errorMessage: 'Error: the runtime is stopping' },
      });
    }
  }

  #dispatch(): void {
    for (let next = this.#queue[0]; next?.signal?.aborted; next = this.#queue[0]) {
      this.#queue.shift();
      next.settle('given up');
    }
    while (this.#queue.length > 0 && !this.#stopped) {
      const idle = this.#idle.pop();
      if (idle === undefined) break;
      const job = this.#queue.shift();
      if (job !== undefined) void this.#serve(idle.environment, job);
    }
    const wanted = Math.min(this.#queue.length, startingAtMost) - this.#starting;
    const room = this.#options.maximumConcurrency - this.#environments.size;
    for (let count = Math.min(wanted, room); count > 0 && !this.#stopped; count -= 1) void this.#start();
  }

  async #serve(environment: ExecutionEnvironment, job: Job): Promise<void> {
    const outcome = await environment.run(job);
    if (!environment.hasEnded && this.#environments.has(environment)) {
      this.#idle.push({ environment, since: performance.now() });
    }
    job.settle(outcome);
    this.#dispatch();
  }

  async #start(): Promise<void> {
    this.#starting += 1;
    const environment: ExecutionEnvironment = new ExecutionEnvironment({
      ...this.#options.environment,
      onEnd: () => this.#forget(environment),
    });
    this.#environments.add(environment);
    const error = await environment.ready;
    this.#starting -= 1;
    if (error === undefined) {
      this.#idle.push({ environment, since: performance.now() });
    } else {
      this.#environments.delete(environment);
      this.#queue.shift()?.settle({ kind: 'failed', error });
    }
    this.#dispatch();
  }

  #forget(environment: ExecutionEnvironment): void {
    this.#environments.delete(environment);
    const position = this.#idle.findIndex((idle) => idle.environment === environment);
    if (position >= 0) this.#idle.splice(position, 1);
    this.#dispatch();
  }
}
