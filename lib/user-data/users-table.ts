import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { MarqueeTable } from '../constructs/marquee-table.ts';

/** Users and their data. */
export class UsersTable extends MarqueeTable {
  readonly environment = { USERS_TABLE: this.tableName };
  /** Whether a user is registered, without what is stored of them. */
  readonly readRegistration = {
    ...this.may('BatchGetItem'),
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['user_sub', 'registration_id', 'is_removed'] },
      // A read of all attributes names none.
      StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  };

  constructor(scope: Construct, id: string) {
    super(scope, id, { keys: ['user_sub'], stream: StreamViewType.NEW_IMAGE, expiresAt: 'expires_at' });
  }
}
