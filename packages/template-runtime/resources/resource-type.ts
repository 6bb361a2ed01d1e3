import type * as z from 'zod';
import type { Engines } from '../engines/engines.ts';

export interface DeployContext {
  readonly logicalId: string;
  readonly stackName: string;
  readonly partition: string;
  readonly region: string;
  readonly accountId: string;
  readonly engines: Engines;
  readonly assemblyDirectory: string;
}

/** The values of `Ref` and `Fn::GetAtt` for a resource. */
export interface DeployedResource {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * `properties` must be strict, so that the start fails on an unknown property. Physical names derive from the stack
 * name and the logical id, so that state is found again after a restart.
 */
export interface ResourceType<Properties = unknown> {
  readonly type: string;
  readonly properties: z.ZodType<Properties>;
  deploy(properties: Properties, context: DeployContext): Promise<DeployedResource>;
  /** Deletes what `deploy` created. Only types that keep something in the state directory need this. */
  remove?(deployed: DeployedResource, context: DeployContext): Promise<void>;
}

export const resourceType = <Properties>(definition: ResourceType<Properties>): ResourceType<Properties> =>
  definition;
