export interface StateMachineDeclaration {
  readonly name: string;
  readonly arn: string;
  /** Amazon States Language with JSONPath, as JSON text. */
  readonly definition: string;
  readonly roleArn: string;
}

export type StateMachineDescription = StateMachineDeclaration & { readonly creationDate: Date };

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

export interface Execution {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly status: ExecutionStatus;
  readonly startDate: Date;
  readonly stopDate?: Date;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
  /** The number of billed transitions of a Standard workflow: one for each state entered, each retry and the start. */
  readonly transitions: number;
}

/** `details` has a single field, which is named after the type as on AWS, e.g. `stateEnteredEventDetails`. */
export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  readonly timestamp: Date;
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Imitates Step Functions' Standard workflows. Executions end with the process, but their names cannot be used again.
 */
export interface StateMachines {
  /** Throws on a definition that the interpreter cannot run. */
  register(machine: StateMachineDeclaration): void;
  list(): readonly StateMachineDescription[];
  describe(stateMachineArn: string): StateMachineDescription;
  /**
   * Starts an execution. If an execution with the same name and input is running, returns the running execution. Throws
   * `ExecutionAlreadyExists` if the name was used for any other execution in the last 90 days.
   */
  start(execution: {
    readonly stateMachineArn: string;
    readonly name?: string;
    readonly input: string;
  }): Execution;
  execution(executionArn: string): Execution;
  /** Newest first. */
  executions(filter: {
    readonly stateMachineArn: string;
    readonly status?: ExecutionStatus;
  }): readonly Execution[];
  /** Empty for an execution of an earlier process. */
  history(executionArn: string): readonly HistoryEvent[];
  stopExecution(request: {
    readonly executionArn: string;
    readonly error?: string;
    readonly cause?: string;
  }): Execution;
  stop(): Promise<void>;
}
