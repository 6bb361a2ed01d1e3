import { describe, expect, it } from 'vitest';
import { prod as prodInput } from '../../../../config/prod.ts';
import { stageNames } from '../../../../config/stages.ts';
import { resourcesOf, stackOf, templateOf } from '../../../support/platform/stack.ts';

const prod = templateOf('prod');
const staging = templateOf('staging');

const propertiesOf = (type: string) => resourcesOf(prod, type).map(([, { Properties }]) => Properties);

describe('the production stage', () => {
  it('has only tables that are on demand, encrypted, restorable, and retained', () => {
    const tables = resourcesOf(prod, 'AWS::DynamoDB::Table');

    expect(tables.length).toBeGreaterThanOrEqual(8);
    for (const [, { Properties, DeletionPolicy }] of tables) {
      expect(Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
      expect(DeletionPolicy).toBe('RetainExceptOnCreate');
    }
  });

  it.each([
    'AWS::DynamoDB::Table',
    'AWS::KMS::Key',
    'AWS::SecretsManager::Secret',
    'AWS::SQS::Queue',
    'AWS::Logs::LogGroup',
  ])('retains every %s when the stack is deleted', (type) => {
    const resources = resourcesOf(prod, type);

    expect(resources.length).toBeGreaterThan(0);
    expect(
      resources
        .filter(
          ([, { DeletionPolicy, UpdateReplacePolicy }]) =>
            DeletionPolicy !== 'RetainExceptOnCreate' || UpdateReplacePolicy !== 'Retain',
        )
        .map(([id]) => id),
    ).toEqual([]);
  });

  it.each([
    ['AWS::SQS::Queue', 'KmsMasterKeyId'],
    ['AWS::SNS::Topic', 'KmsMasterKeyId'],
    ['AWS::Logs::LogGroup', 'KmsKeyId'],
    ['AWS::SecretsManager::Secret', 'KmsKeyId'],
  ])('encrypts every %s with the customer-managed key', (type, property) => {
    for (const properties of propertiesOf(type)) {
      expect(properties[property]).toBeDefined();
    }
  });

  it('keeps logs for a year, with a log group for each function and API', () => {
    const groups = propertiesOf('AWS::Logs::LogGroup');
    const functions = propertiesOf('AWS::Lambda::Function');

    expect(groups.filter(({ RetentionInDays }) => RetentionInDays !== 365)).toEqual([]);
    const named = functions.map(({ LoggingConfig }) =>
      JSON.stringify((LoggingConfig as { LogGroup: unknown }).LogGroup),
    );
    expect(new Set(named).size).toBe(functions.length);
  });

  it('rotates its encryption keys where possible, and waits 30 days before deleting a key', () => {
    for (const { KeySpec, EnableKeyRotation, PendingWindowInDays } of propertiesOf('AWS::KMS::Key')) {
      // AWS rotates only symmetric keys. The key pair of a signing key must not change, since its address on the chain
      // depends on it.
      expect(EnableKeyRotation ?? false).toBe(KeySpec === undefined);
      expect(PendingWindowInDays).toBe(30);
    }
  });

  it('rejects connections to queues and topics without TLS', () => {
    const refused = [
      ...propertiesOf('AWS::SQS::QueuePolicy'),
      ...propertiesOf('AWS::SNS::TopicPolicy'),
    ].filter(({ PolicyDocument }) =>
      JSON.stringify(PolicyDocument).includes('"aws:SecureTransport":"false"'),
    );

    expect(refused).toHaveLength(
      propertiesOf('AWS::SQS::Queue').length + propertiesOf('AWS::SNS::Topic').length,
    );
  });

  it('configures tracing, JSON logs, memory and time-out for every function', () => {
    const functions = propertiesOf('AWS::Lambda::Function');

    expect(functions.length).toBeGreaterThanOrEqual(18);
    for (const properties of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
        MemorySize: expect.any(Number),
        Timeout: expect.any(Number),
      });
    }
  });

  it('limits the retries of every stream reader, and recovers the rest by a queue or a schedule', () => {
    const scheduled = new Set(
      propertiesOf('AWS::Events::Rule').map(({ Targets }) =>
        JSON.stringify((Targets as { Arn: unknown }[])[0]?.Arn),
      ),
    );
    const arnOf = (name: unknown) => JSON.stringify({ 'Fn::GetAtt': [(name as { Ref: string }).Ref, 'Arn'] });
    // Only streams have a starting position. An SQS queue moves messages that keep failing to its dead-letter queue by
    // itself.
    const sources = propertiesOf('AWS::Lambda::EventSourceMapping').filter(
      ({ StartingPosition }) => StartingPosition !== undefined,
    );

    expect(sources.length).toBeGreaterThanOrEqual(2);
    for (const {
      DestinationConfig,
      FunctionName,
      MaximumRetryAttempts,
      MaximumRecordAgeInSeconds,
    } of sources) {
      expect(DestinationConfig !== undefined || scheduled.has(arnOf(FunctionName))).toBe(true);
      expect(MaximumRetryAttempts).toBeGreaterThanOrEqual(0);
      expect(MaximumRecordAgeInSeconds).toBeGreaterThan(0);
    }
  });

  it('has a web ACL for every API', () => {
    expect(propertiesOf('AWS::WAFv2::WebACLAssociation')).toHaveLength(
      propertiesOf('AWS::ApiGateway::RestApi').length,
    );
  });
});

describe('the staging stage', () => {
  it('deletes everything with the stack, except the signing key and the account setting', () => {
    const retained = Object.values(staging.Resources)
      .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'))
      .map(({ Type, Properties }) => (Type === 'AWS::KMS::Key' ? Properties.KeySpec : Type));

    expect(retained.sort()).toEqual(['AWS::ApiGateway::Account', 'AWS::IAM::Role', 'ECC_SECG_P256K1']);
  });
});

const tablesProtected = (template: typeof prod): unknown[] => [
  ...new Set(
    resourcesOf(template, 'AWS::DynamoDB::Table').map(
      ([, { Properties }]) => Properties.DeletionProtectionEnabled ?? false,
    ),
  ),
];

describe('a first deployment that fails', () => {
  it.each(stageNames)("leaves nothing of %s behind except the account's setting for API Gateway", (name) => {
    const left = Object.values(templateOf(name).Resources)
      .filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain')
      .map(({ Type }) => Type);

    expect(left.sort()).toEqual(['AWS::ApiGateway::Account', 'AWS::IAM::Role']);
  });
});

describe('the setting `protected`', () => {
  it.each([false, true])('%s of a stage applies to its stack and to each of its tables', (value) => {
    const { template, terminationProtection } = stackOf({ ...prodInput, protected: value });

    expect(tablesProtected(template)).toEqual([value]);
    expect(terminationProtection).toBe(value);
  });
});
