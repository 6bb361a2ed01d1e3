import type * as z from 'zod';
import type { Engines } from '../engines/engines.ts';

/** What a resource receives when it is deployed. */
export interface DeployContext {
  readonly logicalId: string;
  readonly stackName: string;
  readonly partition: string;
  readonly region: string;
  readonly accountId: string;
  readonly engines: Engines;
  /** Folder of the cloud assembly, where assets are. */
  readonly assemblyDirectory: string;
}

/** What `Ref` and `Fn::GetAtt` answer for a deployed resource. */
export interface DeployedResource {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * One CloudFormation type, one file. `properties` is strict: an unknown property stops the start. Physical names derive
 * from stack name and logical id, so that state survives a restart.
 */
export interface ResourceType<Properties = unknown> {
  readonly type: string;
  readonly properties: z.ZodType<Properties>;
  deploy(properties: Properties, context: DeployContext): Promise<DeployedResource>;
  /** Deletes what `deploy` created, for types that keep anything in the state directory. */
  remove?(deployed: DeployedResource, context: DeployContext): Promise<void>;
}

/** Carries the properties' type from the schema to `deploy`. */
export const resourceType = <Properties>(definition: ResourceType<Properties>): ResourceType<Properties> =>
  definition;
