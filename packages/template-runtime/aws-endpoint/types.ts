import type { DeployedStack } from '../assembly/deployment.ts';

/** A deployed stack, as CloudFormation describes it. */
export interface StackDescription extends DeployedStack {
  readonly creationTime: Date;
}
