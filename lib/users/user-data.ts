import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import * as operations from '../../shared/users/http/operations.ts';
import type { Applications } from '../platform/applications.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { MarqueeTable } from '../platform/constructs/marquee-table.ts';
import { oidcEnvironment, stageOf } from '../platform/constructs/stage.ts';

/** Patterns of the partition keys of identifiers, which are stored once for each of the two ways to find them. */
const registrationKeys = ['REGISTRATION#*'];
const subKeys = ['SUB#*'];
const endedKeys = ['ENDED#*'];

/** Users' data and the ids by which applications know users, with the calls of both. */
export class UserData extends Construct {
  readonly users = new MarqueeTable(this, 'Users', 'USERS_TABLE', {
    keys: ['user_sub'],
    stream: StreamViewType.NEW_IMAGE,
    timeToLiveAttribute: 'expires_at',
  });
  /** Allows reading whether a user is registered, but not the user's data. */
  readonly readRegistration = {
    ...this.users.may('BatchGetItem'),
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['user_sub', 'registration_id', 'is_removed'] },
      // A request for all attributes lists none, so the condition above does not stop it. This condition does.
      StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  };
  readonly subs = new MarqueeTable(this, 'ApplicationUserSubs', 'SUBS_TABLE', {
    keys: ['pk', 'sk'],
    timeToLiveAttribute: 'expires_at',
  });
  /** Allows finding the registrations of users by an application's identifiers. */
  readonly findSubs = this.subs.mayOn(subKeys, 'BatchGetItem');
  /** Allows finding the registrations, and which of these users have linked the application. */
  readonly findReadableSubs = this.subs.mayOn([...subKeys, ...registrationKeys], 'BatchGetItem');
  /** Allows finding an application's identifier for a user. */
  readonly findSub = this.subs.mayOn(registrationKeys, 'GetItem');
  /** Allows finding all identifiers for a user. */
  readonly listSubs = this.subs.mayOn(registrationKeys, 'Query');

  /** Adds the calls of users and applications. */
  addCalls(applications: Applications): void {
    this.addProfileCalls(applications);
    this.addCustomerCalls(applications);
  }

  private addProfileCalls(applications: Applications): void {
    const { users, subs, readRegistration } = this;
    const environment = oidcEnvironment(this);
    const { readOnlyKeys, changesPerHour } = stageOf(this).userData;
    const linkSub = [
      applications.read,
      subs.mayOn(registrationKeys, 'GetItem', 'UpdateItem'),
      subs.mayOn([...registrationKeys, ...subKeys], 'PutItem'),
      subs.mayOn(endedKeys, 'ConditionCheckItem'),
    ] as const;
    new MarqueeFunction(this, 'users/put-user-data', {
      serves: [operations.putUserDataOperation],
      environment: {
        ...environment,
        READ_ONLY_KEYS: JSON.stringify(readOnlyKeys),
        CHANGES_PER_HOUR: String(changesPerHour),
      },
      may: [...linkSub, users.may('GetItem', 'PutItem', 'UpdateItem')],
    });
    new MarqueeFunction(this, 'users/get-user-data', {
      serves: [operations.getUserDataOperation],
      environment,
      may: [users.may('GetItem')],
    });
    new MarqueeFunction(this, 'users/get-application-user-sub', {
      serves: [operations.getApplicationUserSubOperation, operations.postApplicationUserSubOperation],
      environment,
      may: [...linkSub, readRegistration],
    });
  }

  private addCustomerCalls(applications: Applications): void {
    const { users, subs, readRegistration } = this;
    new MarqueeFunction(this, 'users/exchange-user-subs', {
      serves: [operations.exchangeUserSubsOperation],
      may: [
        applications.read,
        readRegistration,
        subs.mayOn([...registrationKeys, ...subKeys], 'BatchGetItem', 'PutItem'),
        subs.mayOn(registrationKeys, 'GetItem'),
        subs.mayOn(endedKeys, 'ConditionCheckItem'),
      ],
    });
    new MarqueeFunction(this, 'users/read-user-data', {
      serves: [operations.readUserDataOperation, operations.readUserDataBatchOperation],
      description: 'Gives an application the data of one of its users, or of up to a hundred',
      may: [
        applications.read,
        users.may('BatchGetItem', 'GetItem'),
        subs.mayOn([...subKeys, ...registrationKeys], 'BatchGetItem', 'GetItem'),
      ],
    });
  }
}
