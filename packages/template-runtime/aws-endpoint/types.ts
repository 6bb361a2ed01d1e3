import type { DeployedStack } from '../assembly/deployment.ts';

export interface StackDescription extends DeployedStack {
  readonly creationTime: Date;
}
