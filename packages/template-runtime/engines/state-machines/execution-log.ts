import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { writeFileDurably } from '../../durable-file.ts';
import type { Execution } from './types.ts';

/** How long an execution's name cannot be used again (Step Functions API reference, StartExecution). */
const nameRetentionMilliseconds = 90 * 86_400_000;

const storedExecution = z.object({
  executionArn: z.string(),
  stateMachineArn: z.string(),
  name: z.string(),
  status: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']),
  startDate: z.coerce.date(),
  stopDate: z.coerce.date().optional(),
  input: z.string(),
  output: z.string().optional(),
  error: z.string().optional(),
  cause: z.string().optional(),
  transitions: z.int(),
});

/** Returns `undefined` for a line that is incomplete because the machine went down during the write. */
const parseLine = (line: string): Execution | undefined => {
  try {
    return storedExecution.parse(JSON.parse(line)) as Execution;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

export interface ExecutionLog {
  /** Executions of earlier processes. Those that were running when their process ended are `ABORTED`. */
  readonly earlier: readonly Execution[];
  record(execution: Execution): void;
}

export const openExecutionLog = (path: string): ExecutionLog => {
  const now = new Date();
  const latest = new Map<string, Execution>();
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  for (const line of lines) {
    const execution = line === '' ? undefined : parseLine(line);
    if (execution && now.getTime() - execution.startDate.getTime() < nameRetentionMilliseconds) {
      latest.set(execution.executionArn, execution);
    }
  }
  const earlier = [...latest.values()].map(
    (execution): Execution =>
      execution.status === 'RUNNING'
        ? { ...execution, status: 'ABORTED', stopDate: now, cause: 'The local runtime was restarted.' }
        : execution,
  );
  mkdirSync(dirname(path), { recursive: true });
  writeFileDurably(path, earlier.map((execution) => `${JSON.stringify(execution)}\n`).join(''));

  return {
    earlier,
    record: (execution) => appendFileSync(path, `${JSON.stringify(execution)}\n`),
  };
};
