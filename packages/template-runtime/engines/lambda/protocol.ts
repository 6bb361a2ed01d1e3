export interface EnvironmentSetup {
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
  readonly codeDirectory: string;
  readonly handler: string;
  /** Descriptor of the function's log file, open for appending. Threads share the descriptors of their process. */
  readonly logDescriptor: number;
  readonly logGroupName: string;
  readonly logStreamName: string;
}

export interface EnvironmentMemory {
  /** See `freezer.ts`. */
  readonly freezer: SharedArrayBuffer;
  /** See `EngineClock`. */
  readonly ahead?: Float64Array;
}

export interface InvocationOrder {
  readonly requestId: string;
  /** As JSON, so that the handler receives exactly what it would receive on Lambda. */
  readonly event: string;
  /** Milliseconds since the Unix epoch. */
  readonly deadline: number;
}

export interface HandlerError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly stackTrace?: readonly string[];
}

export type EnvironmentMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'initFailed'; readonly error: HandlerError }
  | { readonly kind: 'succeeded'; readonly requestId: string; readonly payload: string }
  | { readonly kind: 'failed'; readonly requestId: string; readonly error: HandlerError }
  /** An uncaught exception or an unhandled rejection. The environment ends right after this message. */
  | { readonly kind: 'crashed'; readonly error: HandlerError };
