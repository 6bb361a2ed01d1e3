import { Construct } from 'constructs';
import * as operations from '../../shared/account/http/operations.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { oidcEnvironment, stageOf } from '../platform/constructs/stage.ts';
import type { UserData } from '../users/user-data.ts';

interface AccountParts {
  readonly userData: UserData;
}

/** The calls of a user about the whole account. */
export class Account extends Construct {
  constructor(scope: Construct, id: string, { userData }: AccountParts) {
    super(scope, id);
    const { users } = userData;
    /** Of each call. */
    const environment = {
      ...oidcEnvironment(this),
      ACCOUNT_CLIENTS: JSON.stringify(stageOf(this).userData.accountClients),
    };
    new MarqueeFunction(this, 'account/preview-erasure', {
      serves: [operations.previewErasureOperation],
      environment,
      may: [users.may('GetItem')],
    });
  }
}
