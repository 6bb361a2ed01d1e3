import type { SignerId } from '../entry.ts';

/** The input of a watching execution, exactly: starting a running one again with the same input does nothing. */
export interface WaiterInput {
  readonly signer: SignerId;
  readonly generation: string;
}

export interface Executions {
  /** Starts the execution named by `generation`. `closed` when it ran before and has ended. */
  start(input: WaiterInput): Promise<'running' | 'closed'>;
}
