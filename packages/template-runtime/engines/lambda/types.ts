import type { LambdaFaults, Refusal } from './faults.ts';

export interface LambdaFunction {
  readonly name: string;
  readonly arn: string;
  /** Folder of the asset. It contains the same bundle that would be uploaded to AWS. */
  readonly codeDirectory: string;
  /** e.g. `index.handler` */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly roleArn: string;
  readonly reservedConcurrency?: number;
}

export type InvocationResult =
  | { readonly ok: true; readonly payload: unknown; readonly requestId: string }
  | {
      readonly ok: false;
      readonly requestId: string;
      /** Lambda's name for the error, e.g. `Sandbox.Timedout`, or the error's class name. */
      readonly errorType: string;
      readonly errorMessage: string;
      readonly stackTrace?: readonly string[];
      /** Set if Lambda itself throttled the call (429). The function did not run. */
      readonly refusal?: Refusal;
    };

/** How asynchronous calls of a function are retried, and where those are sent that Lambda gave up. */
export interface AsynchronousSettings {
  readonly maximumRetryAttempts: number;
  readonly maximumAgeSeconds: number;
  /** A queue. @default a call that was given up is lost */
  readonly onFailureArn?: string;
}

export interface InvokePermission {
  readonly target: string;
  readonly statementId: string;
  readonly action: string;
  /** e.g. `apigateway.amazonaws.com` */
  readonly principal: string;
  /** An ARN with wildcards. @default any source */
  readonly sourceArn?: string;
  readonly sourceAccount?: string;
}

/** `target` is a function's name or (qualified) ARN. */
export interface LambdaEngine {
  register(fn: LambdaFunction): void;
  has(target: string): boolean;
  describe(target: string): LambdaFunction;
  /**
   * Sets how many calls of the function may run at once. With 0, it is not invoked. Does not survive a restart, at which
   * the template's setting applies again.
   *
   * @param concurrency `undefined` removes the reservation
   */
  reserve(target: string, concurrency: number | undefined): void;
  reserved(target: string): number | undefined;
  logFileOf(target: string): string;
  /** @throws ServiceFault `ResourceConflictException` if the function has a statement with this id */
  permit(permission: InvokePermission): void;
  /** @throws ServiceFault `ResourceNotFoundException` */
  forbid(target: string, statementId: string): void;
  mayInvoke(request: {
    readonly target: string;
    readonly principal: string;
    readonly sourceArn: string;
  }): boolean;
  /**
   * Throws only when `target` names no function. A call may have to wait for an environment. Lambda would start another
   * one. If `signal` aborts while the call waits, the function is not invoked.
   */
  invoke(
    target: string,
    event: unknown,
    options?: { readonly signal?: AbortSignal },
  ): Promise<InvocationResult>;
  /**
   * Sets how asynchronous calls of the function are handled. Settings that are not given are Lambda's defaults.
   *
   * @throws ServiceFault if the function's role may not send to the destination
   */
  configureAsynchronous(target: string, settings: Partial<AsynchronousSettings>): void;
  /**
   * Invokes the function asynchronously, and retries the call as the function's settings say. Resolves to `true` when
   * the call has succeeded, or was given up and sent to the function's destination, or to `false` if the engine is
   * stopped earlier.
   */
  enqueue(target: string, event: unknown): Promise<boolean>;
  readonly faults: LambdaFaults;
  /** The changes apply from the next call on. */
  setFaults(changes: Partial<LambdaFaults>): void;
  stop(): Promise<void>;
}
