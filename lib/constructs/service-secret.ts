import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledge } from './acknowledge.ts';
import { removalOf } from './removal.ts';
import { ServiceKey } from './service-key.ts';

export interface ServiceSecretProps {
  readonly stage: StageConfig;
  readonly description: string;
  /** `generated`: 64 random letters and digits as plain text. `json`: an object that an operator puts. */
  readonly content: 'generated' | 'json';
}

/**
 * One secret of the stack.
 *
 * Its initial content here must never change: CloudFormation would generate it again and discard what an operator has
 * stored.
 */
export class ServiceSecret extends Secret {
  constructor(scope: Construct, id: string, { stage, description, content }: ServiceSecretProps) {
    super(scope, id, {
      description,
      encryptionKey: ServiceKey.of(scope, stage),
      generateSecretString: {
        passwordLength: 64,
        excludePunctuation: true,
        ...(content === 'json' && { secretStringTemplate: '{}', generateStringKey: 'not_set_yet' }),
      },
      removalPolicy: removalOf(stage),
    });
    acknowledge(this, {
      'AwsSolutions-SMG4':
        'Nothing can rotate it by itself: it belongs to another service or seals cursors; operators rotate it, and functions read it again after five minutes',
    });
  }
}
