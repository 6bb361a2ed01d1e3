import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { EngineClock } from '../../clock.ts';
import { workerModule } from '../../processes/worker-module.ts';
import { freezerOf, sharedFreezerBytes } from './freezer.ts';
import { type FunctionLog, functionLog } from './function-log.ts';
import type { EnvironmentMessage, EnvironmentSetup, HandlerError, InvocationOrder } from './protocol.ts';

/** Lambda's time limit for the init phase. After that, Lambda starts init again, within the function's own timeout. */
const initSeconds = 10;

export type Outcome =
  | { readonly kind: 'succeeded'; readonly payload: string }
  | { readonly kind: 'failed'; readonly error: HandlerError };

export interface EnvironmentOptions {
  readonly setup: EnvironmentSetup;
  readonly clock: EngineClock;
  readonly environment: () => Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Whether the environment freezes after its init and after each invocation. */
  readonly freezes: () => boolean;
  readonly onEnd: () => void;
}

/**
 * V8 flags for the threads. V8's defaults expect one long-lived process with gigabytes of memory. With the defaults,
 * each of some twenty heaps would grow to half its limit before the first full garbage collection, and most code would
 * stay unoptimized.
 */
for (const flag of [
  '--min-semi-space-size=2', // MB
  '--initial-old-space-size=24', // MB
  '--invocation-count-for-maglev=100',
  '--minimum-invocations-after-ic-update=100',
]) {
  setFlagsFromString(flag);
}

/**
 * Limit of V8's young generation: three semi-spaces of 4 MB. With less, V8 collects garbage several times during a
 * request. With more, idle environments hold memory that they do not use.
 */
const youngGenerationMegabytes = 12;

export class ExecutionEnvironment {
  /**
   * Resolves when the module is loaded, or with the error that prevented it. The error becomes the response to the
   * waiting invocation.
   */
  readonly ready: Promise<HandlerError | undefined>;
  readonly #worker: Worker;
  readonly #log: FunctionLog;
  readonly #options: EnvironmentOptions;
  readonly #freezer: ReturnType<typeof freezerOf>;
  #settleInit: (error: HandlerError | undefined) => void = () => {};
  #settleInvocation: ((outcome: Outcome) => void) | undefined;
  #threadError: (Error & { code?: string }) | undefined;
  #ended = false;

  constructor(options: EnvironmentOptions) {
    this.#options = options;
    this.#log = functionLog(options.setup.logDescriptor);
    this.ready = new Promise((resolve) => {
      this.#settleInit = resolve;
    });
    const freezer = new SharedArrayBuffer(sharedFreezerBytes);
    this.#freezer = freezerOf(freezer);
    this.#freezer.setFreezes(options.freezes());
    this.#worker = new Worker(workerModule(new URL('./environment-worker.ts', import.meta.url)), {
      name: options.setup.functionName,
      workerData: { ...options.setup, freezer, ahead: options.clock.ahead },
      env: { ...options.environment() },
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: options.setup.memoryMegabytes,
        maxYoungGenerationSizeMb: youngGenerationMegabytes,
      },
    });
    this.#worker.on('message', (message: EnvironmentMessage) => this.#receive(message));
    this.#worker.on('error', (error) => {
      this.#threadError = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on('exit', (code) => this.#exited(code));
    this.#limitInit();
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  async run({ requestId, event }: { readonly requestId: string; readonly event: string }): Promise<Outcome> {
    const { timeoutSeconds } = this.#options;
    const began = performance.now();
    const order: InvocationOrder = {
      requestId,
      event,
      deadline: this.#options.clock.now() + timeoutSeconds * 1000,
    };
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => {
      this.#ended = true;
      this.#settleInvocation = undefined;
      this.#reportLost({ requestId, began, status: 'timeout' });
      resolve({ kind: 'failed', error: timedOut({ requestId, timeoutSeconds }) });
      void this.terminate();
    }, timeoutSeconds * 1000);
    this.#settleInvocation = (outcome) => {
      clearTimeout(timer);
      this.#settleInvocation = undefined;
      if (outcome.kind === 'failed' && this.#ended) this.#reportLost({ requestId, began, status: 'error' });
      resolve(outcome);
    };
    this.#freezer.setFreezes(this.#options.freezes());
    this.#worker.postMessage(order);
    this.#freezer.thaw();
    return promise;
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(message: EnvironmentMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#settleInit(undefined);
        break;
      case 'initFailed':
        this.#settleInit(message.error);
        break;
      case 'succeeded':
        this.#settleInvocation?.({ kind: 'succeeded', payload: message.payload });
        break;
      case 'failed':
        this.#settleInvocation?.({ kind: 'failed', error: message.error });
        break;
      case 'crashed':
        this.#lose(message.error);
        break;
    }
  }

  #lose(error: HandlerError): void {
    this.#ended = true;
    this.#settleInit(error);
    this.#settleInvocation?.({ kind: 'failed', error });
  }

  #exited(code: number): void {
    this.#lose(exitError({ code, ...(this.#threadError && { cause: this.#threadError }) }));
    this.#options.onEnd();
  }

  #limitInit(): void {
    const seconds = initSeconds + this.#options.timeoutSeconds;
    const timer = setTimeout(() => {
      this.#settleInit({
        errorType: 'Sandbox.Timedout',
        errorMessage: `Error: Task timed out after ${seconds.toFixed(2)} seconds`,
      });
      void this.terminate();
    }, seconds * 1000);
    void this.ready.then(() => clearTimeout(timer));
  }

  #reportLost({
    requestId,
    began,
    status,
  }: {
    readonly requestId: string;
    readonly began: number;
    readonly status: 'timeout' | 'error';
  }): void {
    const { memoryMegabytes } = this.#options.setup;
    if (status === 'timeout') {
      const { timeoutSeconds } = this.#options;
      this.#log.write(
        `${new Date(this.#options.clock.now()).toISOString()} ${requestId} Task timed out after ${timeoutSeconds.toFixed(2)} seconds\n`,
      );
    }
    this.#log.end({
      requestId,
      durationMilliseconds: performance.now() - began,
      memoryMegabytes,
      usedMegabytes: memoryMegabytes,
      status,
    });
  }
}

const timedOut = ({
  requestId,
  timeoutSeconds,
}: {
  readonly requestId: string;
  readonly timeoutSeconds: number;
}): HandlerError => ({
  errorType: 'Sandbox.Timedout',
  errorMessage: `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
});

const exitError = ({
  code,
  cause,
}: {
  readonly code: number;
  readonly cause?: Error & { code?: string };
}) => {
  if (cause?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return {
      errorType: 'Runtime.OutOfMemory',
      errorMessage: 'Error: Runtime exited with error: signal: killed',
    };
  }
  if (cause !== undefined) {
    return {
      errorType: cause.name,
      errorMessage: cause.message,
      stackTrace: (cause.stack ?? '').split('\n'),
    };
  }
  return {
    errorType: 'Runtime.ExitError',
    errorMessage:
      code === 0
        ? 'Error: Runtime exited without providing a reason'
        : `Error: Runtime exited with error: exit status ${code}`,
  };
};
