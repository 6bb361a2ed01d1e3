import type { LambdaFaults, Refusal } from './faults.ts';

/** A function as the template declares it, resolved. */
export interface LambdaFunction {
  readonly name: string;
  readonly arn: string;
  /** Folder of the asset: the very bundle that would be uploaded. */
  readonly codeDirectory: string;
  /** `index.handler` */
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
      /** As Lambda names it, e.g. `Sandbox.Timedout` or the error's class name. */
      readonly errorType: string;
      readonly errorMessage: string;
      readonly stackTrace?: readonly string[];
      /** Lambda itself throttled the call (429); the function did not run. */
      readonly refusal?: Refusal;
    };

/** `AWS::Lambda::Permission`. */
export interface InvokePermission {
  readonly target: string;
  readonly action: string;
  /** e.g. `apigateway.amazonaws.com` */
  readonly principal: string;
  /** An ARN with wildcards; any source when absent. */
  readonly sourceArn?: string;
  readonly sourceAccount?: string;
}

/** The local stand-in for Lambda. `target` is a function's name or (qualified) ARN. */
export interface LambdaEngine {
  register(fn: LambdaFunction): void;
  has(target: string): boolean;
  describe(target: string): LambdaFunction;
  /** Where the function's output goes. */
  logFileOf(target: string): string;
  /** Adds a statement to the function's resource policy. */
  permit(permission: InvokePermission): void;
  /** Whether the function's resource policy lets a service invoke it for this source. */
  mayInvoke(request: {
    readonly target: string;
    readonly principal: string;
    readonly sourceArn: string;
  }): boolean;
  /**
   * Throws only when `target` names no function. Where Lambda would start another environment, a call may queue here;
   * it is not made once `signal` aborts.
   */
  invoke(
    target: string,
    event: unknown,
    options?: { readonly signal?: AbortSignal },
  ): Promise<InvocationResult>;
  /**
   * Invokes asynchronously, as services do that do not wait: a failed function is retried twice. Returns, when that is
   * over, whether it was over before this process ended.
   */
  enqueue(target: string, event: unknown): Promise<boolean>;
  readonly faults: LambdaFaults;
  /** From the next call on. */
  setFaults(changes: Partial<LambdaFaults>): void;
  stop(): Promise<void>;
}
