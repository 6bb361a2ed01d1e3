/**
 * The types of resources that keep something, or whose address others know, each with the properties whose change makes
 * CloudFormation replace the resource with a new one, which is empty or has another address.
 */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::ApiGateway::UsagePlan': [],
  'AWS::DynamoDB::Table': ['ImportSourceSpecification', 'KeySchema', 'LocalSecondaryIndexes', 'TableName'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  // A new mapping of a stream begins where `StartingPosition` says, and not where the old one has stopped.
  'AWS::Lambda::EventSourceMapping': [
    'AmazonManagedKafkaEventSourceConfig',
    'EventSourceArn',
    'SelfManagedEventSource',
    'SelfManagedKafkaEventSourceConfig',
    'StartingPosition',
    'StartingPositionTimestamp',
  ],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  // Somebody has to confirm a new subscription of an email address.
  'AWS::SNS::Subscription': ['Endpoint', 'Protocol', 'TopicArn'],
  'AWS::SNS::Topic': ['FifoTopic', 'TopicName'],
  'AWS::SQS::Queue': ['FifoQueue', 'QueueName'],
  // A change of `GenerateSecretString` keeps the secret, but overwrites the value that an operator has stored.
  'AWS::SecretsManager::Secret': ['GenerateSecretString', 'Name'],
  // Executions end with their state machine.
  'AWS::StepFunctions::StateMachine': ['StateMachineName', 'StateMachineType'],
};

/** The types of resources that a new one replaces without a loss. */
const renewable: readonly string[] = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::Deployment',
  'AWS::Backup::BackupPlan',
  'AWS::Backup::BackupSelection',
  // A vault that is replaced stays, with the backups that it has.
  'AWS::Backup::BackupVault',
  'AWS::Budgets::Budget',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Events::Rule',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::SubscriptionFilter',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::WAFv2::LoggingConfiguration',
  // Counts requests of the last minutes only.
  'AWS::WAFv2::WebACL',
  'AWS::WAFv2::WebACLAssociation',
];

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

/** @throws when a resource has a type that is in neither of the two lists. */
export const statefulResources = ({ Resources }: Template): StatefulResources => {
  const unknown = Object.values(Resources).find(
    ({ Type }) => !Object.hasOwn(replacedBy, Type) && !renewable.includes(Type),
  );
  if (unknown !== undefined) {
    throw new Error(`${unknown.Type}: add to stateful-resources.ts whether a new one loses anything`);
  }
  return Object.fromEntries(
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
};

/** The types of stateful resources, each with the properties whose change replaces it. */
export const statefulTypes: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(replacedBy));

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
