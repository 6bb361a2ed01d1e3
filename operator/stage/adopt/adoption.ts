import * as z from 'zod';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

/**
 * The property by which CloudFormation identifies a resource that it imports, for each type that a stage retains (the
 * primary identifiers of the types' schemas). A resource's physical id is its value.
 */
const identifiers: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::Account': 'Id',
  'AWS::Backup::BackupVault': 'BackupVaultName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::KMS::Key': 'KeyId',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SecretsManager::Secret': 'Id',
  'AWS::SQS::Queue': 'QueueUrl',
};

const resourceSchema = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).optional(),
  DeletionPolicy: z.string().optional(),
});
export const templateSchema = z.looseObject({ Resources: z.record(z.string(), resourceSchema) });

export type SynthesizedTemplate = z.output<typeof templateSchema>;

/** A resource as CloudFormation's parameter `ResourcesToImport` names it. */
export interface ResourceToImport {
  readonly ResourceType: string;
  readonly LogicalResourceId: string;
  readonly ResourceIdentifier: Readonly<Record<string, string>>;
}

export interface Adoption {
  readonly resourcesToImport: readonly ResourceToImport[];
  /** Contains only the retained resources, because an import may change nothing else. */
  readonly template: Readonly<Record<string, unknown>>;
}

const isRetained = ({ DeletionPolicy = '' }: { readonly DeletionPolicy?: string | undefined }): boolean =>
  DeletionPolicy.startsWith('Retain');

/** The logical ids to which a value refers. */
const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'Ref') return [String(inner)];
    if (name === 'Fn::GetAtt' && Array.isArray(inner)) return [String(inner[0])];
    return referencesIn(inner);
  });
};

/**
 * Makes the import of what a removed stack has retained into a new stack, by the names that the old stack gave to them.
 *
 * @throws OperatorError when the old stack did not have a retained resource, or when it is of a type that cannot be
 * imported.
 */
export const adoptionOf = (
  { Resources }: SynthesizedTemplate,
  physicalIds: ReadonlyMap<string, string>,
): Adoption => {
  const retained = Object.entries(Resources).filter(([, resource]) => isRetained(resource));
  const ids = new Set(retained.map(([id]) => id));
  const missing = retained.filter(([id]) => !physicalIds.has(id)).map(([id]) => id);
  if (missing.length > 0) {
    throw new OperatorError({ message: `The old stack has no ${missing.join(', ')}.` });
  }
  const isElsewhere = (reference: string): boolean => !ids.has(reference) && !reference.startsWith('AWS::');

  const adopted = retained.map(([id, { Type, Properties = {}, DependsOn: _, Metadata: __, ...rest }]) => {
    const identifier = identifiers[Type];
    const physicalId = physicalIds.get(id) ?? '';
    if (identifier === undefined) {
      throw new OperatorError({ message: `${id} is of the type ${Type}, which this command cannot import.` });
    }
    // Some log groups are named after a resource that is not retained. Such a log group keeps its old name.
    const isNamed =
      Properties[identifier] !== undefined && referencesIn(Properties[identifier]).some(isElsewhere);
    const properties = isNamed ? { ...Properties, [identifier]: physicalId } : Properties;
    const foreign = referencesIn(properties).filter(isElsewhere);
    if (foreign.length > 0) {
      throw new OperatorError({ message: `${id} refers to ${foreign.join(', ')}, which is not retained.` });
    }
    return {
      id,
      resource: {
        ...rest,
        Type,
        Properties: properties,
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
      },
      toImport: {
        ResourceType: Type,
        LogicalResourceId: id,
        ResourceIdentifier: { [identifier]: physicalId },
      },
    };
  });
  return {
    resourcesToImport: adopted.map(({ toImport }) => toImport),
    template: {
      AWSTemplateFormatVersion: '2010-09-09',
      Resources: Object.fromEntries(adopted.map(({ id, resource }) => [id, resource])),
    },
  };
};
