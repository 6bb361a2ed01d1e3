import type { SignerId } from '../transactions/entry.ts';

/**
 * The input of a waiter's Step Functions execution. Starting a running execution again with exactly the same input has
 * no effect.
 */
export interface WaiterInput {
  readonly signer: SignerId;
  readonly generation: string;
}

export interface Executions {
  /** Starts the execution whose name is `generation`. Returns `closed` if that execution has already ended. */
  start(input: WaiterInput): Promise<'running' | 'closed'>;
}
