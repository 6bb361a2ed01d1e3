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
  /** Transitions that a Standard workflow is billed for: each state entered, each retry, and one for the start. */
  readonly transitions: number;
}

/** `details` has the one field that AWS adds, e.g. `stateEnteredEventDetails`. */
export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  readonly timestamp: Date;
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Works as Step Functions' Standard workflows. Executions end with the process, but their names stay used. */
export interface StateMachines {
  /** Throws on a definition that the interpreter cannot run. */
  register(machine: StateMachineDeclaration): void;
  list(): readonly StateMachineDescription[];
  describe(stateMachineArn: string): StateMachineDescription;
  /**
   * Returns a running execution of the same name and input. Otherwise throws `ExecutionAlreadyExists` if the name was
   * used in the last 90 days.
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
