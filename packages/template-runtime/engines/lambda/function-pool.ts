import { availableParallelism } from 'node:os';
import { type EnvironmentOptions, ExecutionEnvironment, type Outcome } from './execution-environment.ts';
import { idleShareFromNow } from './idle-share.ts';

interface Call {
  readonly requestId: string;
  readonly event: string;
  /** A call that is given up while it waits in line is not made. */
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

/** As many environments can keep them busy: more only help while some wait for something else. */
const cores = availableParallelism();
/** Long enough for the moments in which a busy machine waits for one thread not to count. */
const lookMilliseconds = 300;
const idleAbove = 0.12;
/** While a chain writes its state, all who send to it wait, up to 0.9 s: a look or two find an idle machine, the next none. */
const looksInARow = 3;
const waitingBelow = 0.02;
/** Of its time, on average: with less to do, an environment of some 40 MB spares a call a short wait now and then. */
const busyAtLeast = 0.5;

/** The execution environments of one function. What comes beyond the maximum waits in line. */
export class FunctionPool {
  readonly #options: PoolOptions;
  readonly #environments = new Set<ExecutionEnvironment>();
  /** The one that was used last is used next, so that few stay warm. */
  readonly #idle: IdleEnvironment[] = [];
  readonly #queue: Job[] = [];
  #starting = 0;
  #stopped = false;
  /** How many there may be without another look at the machine. */
  #allowed = cores;
  /** Whether, since the last look at the machine, each call had to wait. */
  #isBehind = false;
  /** How many looks in a row have found time to spare. */
  #idleLooks = 0;
  #growth: NodeJS.Timeout | undefined;
  /** What all environments together have worked since they were last reaped. */
  #busyMilliseconds = 0;
  #reapedAt = performance.now();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  run(call: Call): Promise<Outcome | 'given up'> {
    const { promise, resolve } = Promise.withResolvers<Outcome | 'given up'>();
    this.#queue.push({ ...call, settle: resolve });
    this.#dispatch();
    return promise;
  }

  /** Ends idle environments that the calls since the last time did not need, and the last one that nobody used for so long. */
  reap(idleMilliseconds: number): void {
    const now = performance.now();
    const needed = Math.ceil(this.#busyMilliseconds / ((now - this.#reapedAt) * busyAtLeast));
    this.#busyMilliseconds = 0;
    this.#reapedAt = now;
    let kept = this.#environments.size;
    for (let oldest = this.#idle[0]; oldest !== undefined; oldest = this.#idle[0]) {
      if (kept <= Math.max(needed, 1) && now - oldest.since <= idleMilliseconds) break;
      this.#idle.shift();
      kept -= 1;
      void oldest.environment.terminate();
    }
    this.#allowed = needed === 0 ? cores : Math.max(kept, 1);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#growth);
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
    if (this.#queue.length === 0) {
      this.#isBehind = false;
      this.#idleLooks = 0;
    } else if (this.#environments.size < this.#allowed) this.#startMore();
    else this.#considerGrowth();
  }

  /** More environments at once than cores would only slow each other's start. */
  #startMore(): void {
    const wanted = Math.min(this.#queue.length, cores) - this.#starting;
    const room = Math.min(this.#allowed, this.#options.maximumConcurrency) - this.#environments.size;
    for (let count = Math.min(wanted, room); count > 0 && !this.#stopped; count -= 1) void this.#start();
  }

  /** While calls wait in line, looks now and then whether there is time to spare on the machine. */
  #considerGrowth(): void {
    const isFull = this.#environments.size >= this.#options.maximumConcurrency;
    if (isFull || this.#growth !== undefined || this.#stopped) return;
    const idleShare = idleShareFromNow();
    for (const environment of this.#environments) environment.utilization();
    this.#isBehind = true;
    this.#growth = setTimeout(() => {
      this.#growth = undefined;
      const used = [...this.#environments].map((environment) => environment.utilization());
      const mean = used.reduce((sum, one) => sum + one, 0) / used.length;
      const { size } = this.#environments;
      this.#idleLooks = this.#isBehind && idleShare() > idleAbove ? this.#idleLooks + 1 : 0;
      if (this.#idleLooks >= looksInARow) this.#allowed = mean < waitingBelow ? 2 * size : size + 1;
      else if (this.#isBehind && size < cores) this.#allowed = size + 1;
      this.#dispatch();
    }, lookMilliseconds);
  }

  async #serve(environment: ExecutionEnvironment, job: Job): Promise<void> {
    const began = performance.now();
    const outcome = await environment.run(job);
    this.#busyMilliseconds += performance.now() - began;
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
