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

export interface InvokePermission {
  readonly target: string;
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
  permit(permission: InvokePermission): void;
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
   * Invokes the function asynchronously, and retries the call twice if it fails. Resolves to `true` when the call has
   * succeeded or no retries are left, or to `false` if the engine is stopped earlier.
   */
  enqueue(target: string, event: unknown): Promise<boolean>;
  readonly faults: LambdaFaults;
  /** The changes apply from the next call on. */
  setFaults(changes: Partial<LambdaFaults>): void;
  stop(): Promise<void>;
}
