import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { MarqueeTable } from '../constructs/marquee-table.ts';

export class UsersTable extends MarqueeTable<'USERS_TABLE'> {
  /** Allows reading whether a user is registered, but none of the user's data. */
  readonly readRegistration = {
    ...this.may('BatchGetItem'),
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['user_sub', 'registration_id', 'is_removed'] },
      // A read of all attributes does not name any.
      StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  };

  constructor(scope: Construct, id: string) {
    super(scope, id, 'USERS_TABLE', {
      keys: ['user_sub'],
      stream: StreamViewType.NEW_IMAGE,
      timeToLiveAttribute: 'expires_at',
    });
  }
}
