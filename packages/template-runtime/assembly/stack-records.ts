import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeFileDurably } from '../durable-file.ts';

/** How the last finished deployment of a stack ended. A deployment that was interrupted leaves the record as it was. */
const recordSchema = z.strictObject({
  status: z.enum(['CREATE_COMPLETE', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED']),
  terminationProtection: z.boolean(),
});

export type StackRecord = z.output<typeof recordSchema>;

const stored = z.strictObject({
  stacks: z.record(z.string(), recordSchema),
  /** Type and name of each resource that a stack left behind, such as `AWS::Logs::LogGroup aws-waf-logs-app`. */
  takenNames: z.array(z.string()),
});

export interface StackRecords {
  find(stackName: string): StackRecord | undefined;
  keep(stackName: string, record: StackRecord): void;
  isTaken(name: string): boolean;
  take(name: string): void;
}

/** Keeps the records in `file`, or only in memory if there is no `file`. */
export const openStackRecords = (file?: string): StackRecords => {
  const records =
    file !== undefined && existsSync(file)
      ? stored.parse(JSON.parse(readFileSync(file, 'utf8')))
      : { stacks: {}, takenNames: [] };
  const write = (): void => {
    if (file !== undefined) writeFileDurably(file, JSON.stringify(records));
  };
  return {
    find: (stackName) => records.stacks[stackName],
    keep(stackName, record) {
      records.stacks[stackName] = record;
      write();
    },
    isTaken: (name) => records.takenNames.includes(name),
    take(name) {
      records.takenNames.push(name);
      write();
    },
  };
};
