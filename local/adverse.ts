import { awsPartitionLimits, type DatabaseFaults } from 'template-runtime/engines/dynamodb/faults/types.ts';
import type { LambdaFaults } from 'template-runtime/engines/lambda/faults.ts';

/** What `--adverse` turns on: everything that AWS does now and then, often enough to show within a minute. */
export const adverse: { readonly database: Partial<DatabaseFaults>; readonly lambda: Partial<LambdaFaults> } =
  {
    database: {
      throttleShare: 0.05,
      conflictShare: 0.05,
      delayMilliseconds: 20,
      indexLagMilliseconds: 500,
      partitionLimits: awsPartitionLimits,
    },
    lambda: { freezes: true },
  };
