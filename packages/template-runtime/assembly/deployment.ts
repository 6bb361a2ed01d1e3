import * as z from 'zod';
import type { Engines } from '../engines/engines.ts';
import type { DeployContext, DeployedResource, ResourceType } from '../resources/resource-type.ts';
import { resolveReferences } from './dynamic-references.ts';
import { resolve, type Scope } from './intrinsics.ts';
import { deploymentOrder } from './order.ts';
import { type CreatedResource, isCreation, refuseTakenName, rollBack } from './rollback.ts';
import { openStackRecords, type StackRecords } from './stack-records.ts';
import type { Assembly, Template } from './template.ts';

export interface DeploymentOptions {
  readonly assembly: Assembly;
  readonly engines: Engines;
  readonly resourceTypes: ReadonlyMap<string, ResourceType>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly region: string;
  readonly accountId: string;
  /** Records of earlier deployments. @default none */
  readonly records?: StackRecords;
  /** Logical id of a resource whose creation fails on purpose. @default none */
  readonly failAt?: string;
  /** Called after each deployed resource. @default does nothing */
  readonly onResource?: (count: { readonly done: number; readonly of: number }) => void;
}

export interface DeployedStack {
  readonly name: string;
  readonly arn: string;
  readonly description?: string;
  readonly terminationProtection: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  readonly outputs: readonly {
    readonly key: string;
    readonly value: string;
    readonly description?: string;
    readonly exportName?: string;
  }[];
  readonly resources: readonly {
    readonly logicalId: string;
    readonly physicalId: string;
    readonly type: string;
    /** The construct path, from the metadata `aws:cdk:path`. */
    readonly path?: string;
    readonly attributes: Readonly<Record<string, string>>;
  }[];
}

/**
 * Deploys the template's resources to the engines, in dependency order. Throws on any part of the template that the
 * runtime does not support. If creating the stack fails, the deployment is rolled back. If an update fails, the
 * resources that were deployed before the failure stay.
 */
export const deploy = async (options: DeploymentOptions): Promise<DeployedStack> => {
  const {
    assembly,
    engines,
    resourceTypes,
    region,
    accountId,
    records = openStackRecords(),
    failAt,
    onResource = () => {},
  } = options;
  const { template, stackName, terminationProtection } = assembly;
  refuseUnknownTypes(template, resourceTypes);
  if (failAt !== undefined && template.Resources[failAt] === undefined) {
    throw new Error(`the template has no resource ${failAt} that could fail on purpose`);
  }
  const creates = isCreation(records, stackName);
  const arn = `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`;
  const parameters = parameterValues(template, options.parameters);
  const deployed = new Map<string, DeployedResource>();
  const scope = scopeOf({ template, parameters, deployed, pseudo: pseudoParameters({ ...options, arn }) });
  const context = {
    stackName,
    partition: 'aws',
    region,
    accountId,
    engines,
    assemblyDirectory: assembly.directory,
  };

  const made: CreatedResource[] = [];
  const makeAll = async (): Promise<DeployedStack['outputs']> => {
    const order = deploymentOrder(template.Resources);
    for (const logicalId of order) {
      const resource = template.Resources[logicalId];
      if (!resource) continue;
      const { Type } = resource;
      await naming(`${logicalId} (${Type})`, async () => {
        const properties = resolvedProperties.parse(
          resolveReferences(resolve(resource.Properties, scope), engines.secrets),
        );
        if (creates) refuseTakenName(records, { type: Type, properties });
        if (logicalId === failAt) throw new Error('failed on purpose, as requested');
        const one = await deployOne(resourceTypes, Type, properties, { ...context, logicalId });
        deployed.set(logicalId, one);
        made.push({ logicalId, resource, properties, deployed: one });
        onResource({ done: made.length, of: order.length });
      });
    }
    return outputsOf(template, scope);
  };

  let outputs: DeployedStack['outputs'];
  try {
    outputs = await makeAll();
  } catch (cause) {
    if (!creates) throw cause;
    const refusals = await rollBack(made, { records, resourceTypes, context });
    const status = refusals.length === 0 ? 'ROLLBACK_COMPLETE' : 'ROLLBACK_FAILED';
    records.keep(stackName, { status, terminationProtection });
    throw new Error([messageOf(cause), `${stackName}: ${status}`, ...refusals].join('\n'), { cause });
  }
  records.keep(stackName, { status: 'CREATE_COMPLETE', terminationProtection });
  return {
    name: stackName,
    arn,
    ...(template.Description && { description: template.Description }),
    terminationProtection,
    parameters,
    outputs,
    resources: [...deployed].map(([logicalId, { ref, attributes = {} }]) => {
      const path = template.Resources[logicalId]?.Metadata?.['aws:cdk:path'];
      return {
        logicalId,
        physicalId: ref,
        type: template.Resources[logicalId]?.Type ?? '',
        ...(typeof path === 'string' && { path }),
        attributes,
      };
    }),
  };
};

const resolvedProperties = z.record(z.string(), z.unknown());

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const refuseUnknownTypes = (template: Template, resourceTypes: ReadonlyMap<string, ResourceType>): void => {
  const unknown = Object.entries(template.Resources).filter(([, { Type }]) => !resourceTypes.has(Type));
  if (unknown.length === 0) return;
  const lines = unknown.map(
    ([logicalId, { Type }]) => `${logicalId}: the local runtime does not support the type ${Type}`,
  );
  throw new Error(
    `${lines.join('\n')}\nTo add a type, add a file to the folder resources of template-runtime.`,
  );
};

const deployOne = async (
  resourceTypes: ReadonlyMap<string, ResourceType>,
  type: string,
  properties: unknown,
  context: DeployContext,
): Promise<DeployedResource> => {
  const resourceType = resourceTypes.get(type);
  if (!resourceType) throw new Error(`the local runtime does not support the type ${type}`);
  const parsed = resourceType.properties.safeParse(properties);
  if (!parsed.success) throw new Error(`\n${z.prettifyError(parsed.error)}`);
  return resourceType.deploy(parsed.data, context);
};

const naming = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    throw new Error(`${name}: ${messageOf(cause)}`, { cause });
  }
};

const pseudoParameters = (stack: { arn: string; region: string; accountId: string; assembly: Assembly }) =>
  new Map<string, unknown>([
    ['AWS::AccountId', stack.accountId],
    ['AWS::NotificationARNs', []],
    ['AWS::Partition', 'aws'],
    ['AWS::Region', stack.region],
    ['AWS::StackId', stack.arn],
    ['AWS::StackName', stack.assembly.stackName],
    ['AWS::URLSuffix', 'amazonaws.com'],
  ]);

const parameterValues = (
  template: Template,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(template.Parameters).map(([name, parameter]) => {
      const value = given[name] ?? parameter.Default;
      if (value === undefined) throw new Error(`the parameter ${name} has neither a value nor a default`);
      const { AllowedPattern, AllowedValues } = parameter;
      // CloudFormation checks each value of a list.
      const values = parameter.Type.includes('List') ? String(value).split(',') : [String(value)];
      const pattern = new RegExp(AllowedPattern === undefined ? '' : `^(?:${AllowedPattern})$`);
      const matches = values.every((each) => pattern.test(each));
      if (!matches || (AllowedValues && !AllowedValues.includes(String(value)))) {
        throw new Error(`the parameter ${name} does not allow the value ${value}`);
      }
      return [name, String(value)];
    }),
  );

const scopeOf = (stack: {
  readonly template: Template;
  readonly parameters: Readonly<Record<string, string>>;
  readonly deployed: ReadonlyMap<string, DeployedResource>;
  readonly pseudo: ReadonlyMap<string, unknown>;
}): Scope => {
  const { template, parameters, deployed, pseudo } = stack;
  const deployedResource = (logicalId: string): DeployedResource => {
    const resource = deployed.get(logicalId);
    if (resource) return resource;
    throw new Error(`refers to ${logicalId}, which is not in the template`);
  };

  return {
    ref: (name) => {
      if (pseudo.has(name)) return pseudo.get(name);
      const parameter = parameters[name];
      if (parameter === undefined) return deployedResource(name).ref;
      const isList = template.Parameters[name]?.Type.includes('List');
      return isList ? parameter.split(',') : parameter;
    },
    getAtt: (logicalId, attribute) => {
      const value = deployedResource(logicalId).attributes?.[attribute];
      if (value === undefined) {
        throw new Error(
          `${logicalId} (${template.Resources[logicalId]?.Type}) has no attribute ${attribute}`,
        );
      }
      return value;
    },
  };
};

const outputsOf = async (template: Template, scope: Scope): Promise<DeployedStack['outputs']> => {
  return Promise.all(
    Object.entries(template.Outputs).map(([key, { Value, Description, Export }]) =>
      naming(`the output ${key}`, async () => ({
        key,
        value: String(resolve(Value, scope)),
        ...(Description !== undefined && { description: Description }),
        ...(Export && { exportName: String(resolve(Export.Name, scope)) }),
      })),
    ),
  );
};
