import { type Stack, Tags } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type SecretArns, type SecretName, unsetField } from '../../../shared/platform/stage-secrets.ts';
import { acknowledge } from './acknowledge.ts';
import { serviceKey } from './encryption.ts';
import { type Permission, variableOf } from './environments.ts';
import { removalOf } from './stage.ts';

export interface ServiceSecretProps {
  /** Also the secret's tag `secret`, by which the operator guide's policies recognise it. */
  readonly name: SecretName;
  readonly description: string;
  /** Whether the value is 64 random letters and digits. @default false: an operator stores a JSON object later */
  readonly isGenerated?: boolean;
  /**
   * Fields that the template reads. Until an operator stores a value, each has the placeholder `none`. @default none
   */
  readonly readFields?: readonly string[];
}

/**
 * The settings that generate a secret's initial value must never change. If they did, CloudFormation would generate a
 * new value and overwrite the one that an operator has stored.
 */
export class ServiceSecret extends Secret {
  readonly read = { actions: ['secretsmanager:GetSecretValue'], resources: [this.secretArn] };

  readonly name: SecretName;

  constructor(
    scope: Construct,
    id: string,
    { name, description, isGenerated = false, readFields = [] }: ServiceSecretProps,
  ) {
    const unset = Object.fromEntries(readFields.map((field) => [field, 'none']));
    super(scope, id, {
      description,
      encryptionKey: serviceKey(scope),
      generateSecretString: {
        passwordLength: 64,
        excludePunctuation: true,
        ...(!isGenerated && { secretStringTemplate: JSON.stringify(unset), generateStringKey: unsetField }),
      },
      removalPolicy: removalOf(scope),
    });
    this.name = name;
    Tags.of(this).add('secret', name);
    acknowledge(this, {
      'AwsSolutions-SMG4':
        'Nothing can rotate it by itself: it belongs to another service or seals cursors; operators rotate it, and functions read it again after five minutes',
    });
  }

  /** Allows reading the secret. The function gets the secret's ARN in the environment variable `variable`. */
  readAs<Name extends string>(variable: Name): Permission<Name> {
    return { ...this.read, variables: variableOf(variable, this.secretArn) };
  }
}

/** The ARNs of all secrets of the stack. */
export const secretArnsOf = (stack: Stack): SecretArns =>
  Object.fromEntries(
    stack.node
      .findAll()
      .filter((each) => each instanceof ServiceSecret)
      .map(({ name, secretArn }) => [name, secretArn]),
  );
