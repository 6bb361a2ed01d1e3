import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';

/** Users and their data. */
export class UsersTable extends MarqueeTable {
  constructor(scope: Construct, id: string) {
    super(scope, id, { keys: ['user_sub'], stream: StreamViewType.NEW_IMAGE, expiresAt: 'expires_at' });
  }

  get environment() {
    return { USERS_TABLE: this.tableName };
  }

  grantRead(...readers: readonly MarqueeFunction[]): void {
    for (const reader of readers) this.grant(reader, ['GetItem']);
  }

  /** Whether a user is registered, without what is stored of them. */
  grantRegistration(...readers: readonly MarqueeFunction[]): void {
    for (const reader of readers) {
      this.grant(reader, ['BatchGetItem'], {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['user_sub', 'registration_id', 'is_removed'] },
        // A read of all attributes names none.
        StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      });
    }
  }
}
