import type { SignerId } from '../entry.ts';

/** The exact input of a waiter's execution: starting a running one again with the same input does nothing. */
export interface WaiterInput {
  readonly signer: SignerId;
  readonly generation: string;
}

export interface Executions {
  /** Starts the execution named by `generation`. `closed` when it has ended before. */
  start(input: WaiterInput): Promise<'running' | 'closed'>;
}
