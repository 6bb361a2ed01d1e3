import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config/stage.ts';
import { acknowledge } from './acknowledge.ts';
import { ServiceKey } from './service-key.ts';

export interface ServiceSecretProps {
  readonly stage: StageConfig;
  readonly description: string;
  /**
   * The field of the secret's JSON that is generated: 64 letters and digits.
   * @default the secret has one meaningless field until an operator puts its value
   */
  readonly generated?: string;
}

/**
 * A secret that holds a JSON object.
 *
 * What is written here about its content is never changed: CloudFormation would then generate it anew and so throw
 * away what an operator has put there.
 */
export class ServiceSecret extends Secret {
  constructor(scope: Construct, id: string, { stage, description, generated }: ServiceSecretProps) {
    super(scope, id, {
      description,
      encryptionKey: ServiceKey.of(scope, stage),
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: generated ?? 'not_set_yet',
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy: stage.retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acknowledge(this, {
      'AwsSolutions-SMG4':
        'Nothing can rotate it by itself: it belongs to another service or seals cursors; operators rotate it, and functions read it again after five minutes',
    });
  }
}
