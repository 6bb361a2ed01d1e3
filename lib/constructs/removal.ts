import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfig } from '../../config/stage.ts';

/**
 * Outlives the stack, but not the deployment that created it, if that fails: a rollback leaves neither names that the
 * next try would collide with nor empty tables and unused keys.
 */
export const kept = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** What happens to data, keys and logs when they leave the stack. */
export function removalOf({ retainData }: StageConfig): RemovalPolicy {
  return retainData ? kept : RemovalPolicy.DESTROY;
}
