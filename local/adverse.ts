import { awsPartitionLimits, type DatabaseFaults } from 'template-runtime/engines/dynamodb/faults/types.ts';
import type { LambdaFaults } from 'template-runtime/engines/lambda/faults.ts';

/**
 * The faults that `--adverse` turns on. They are rare on AWS, but here they are frequent enough to occur within a
 * minute.
 */
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
