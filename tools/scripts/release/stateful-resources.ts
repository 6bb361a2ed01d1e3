/**
 * Properties whose change makes CloudFormation replace the resource with a new one, which is empty or has another
 * address.
 */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::ApiGateway::UsagePlan': [],
  'AWS::DynamoDB::Table': ['KeySchema', 'LocalSecondaryIndexes', 'TableName'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::SNS::Topic': ['FifoTopic', 'TopicName'],
  'AWS::SQS::Queue': ['FifoQueue', 'QueueName'],
  // A change of `GenerateSecretString` keeps the secret, but overwrites the value that an operator has stored.
  'AWS::SecretsManager::Secret': ['GenerateSecretString', 'Name'],
};

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** A resource that has state or an address that must not change, with the properties whose change would replace it. */
export interface StatefulResource {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Keyed by logical id. A changed logical id would also replace the resource. */
export type StatefulResources = Readonly<Record<string, StatefulResource>>;

export const statefulResources = ({ Resources }: Template): StatefulResources =>
  Object.fromEntries(
    Object.entries(Resources)
      .filter(([, { Type }]) => Object.hasOwn(replacedBy, Type))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([logicalId, { Type, Properties = {} }]) => [
        logicalId,
        {
          type: Type,
          properties: Object.fromEntries(
            (replacedBy[Type] ?? [])
              .filter((name) => Properties[name] !== undefined)
              .map((name) => [name, Properties[name]]),
          ),
        },
      ]),
  );

/**
 * The text that is stored with a release: its stateful resources, by stage. A test compares the next release with it.
 */
export const releaseText = (templates: Readonly<Record<string, Template>>): string => {
  const kept = Object.entries(templates).map(([stage, template]) => [stage, statefulResources(template)]);
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
};

export const replacements = (from: StatefulResources, to: StatefulResources): string[] =>
  Object.entries(from).flatMap(([logicalId, before]) => {
    const after = to[logicalId];
    if (after === undefined) return [`${logicalId} (${before.type}) would be removed`];
    if (after.type !== before.type) return [`${logicalId} would become ${after.type}`];
    const names = new Set([...Object.keys(before.properties), ...Object.keys(after.properties)]);
    return [...names]
      .filter((name) => JSON.stringify(before.properties[name]) !== JSON.stringify(after.properties[name]))
      .map((name) => `${logicalId} (${before.type}) would be replaced: its ${name} changes`);
  });
