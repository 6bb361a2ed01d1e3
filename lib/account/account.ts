import { Construct } from 'constructs';
import * as operations from '../../shared/account/http/operations.ts';
import type { Ott } from '../ott/ott.ts';
import type { Applications } from '../platform/applications.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import type { DeadLetterQueue } from '../platform/constructs/queues.ts';
import { oidcEnvironment, stageOf } from '../platform/constructs/stage.ts';
import { addForgetting, type ForgettingParts } from './forgetting.ts';

/** DynamoDB's point-in-time recovery goes back so far. */
const recoveryDays = 35;

interface AccountParts extends ForgettingParts {
  readonly applications: Applications;
  readonly ott: Ott;
}

/** The calls of a user about the whole account, and what an erasure leaves to be done. */
export class Account extends Construct {
  readonly failedErasures: DeadLetterQueue;

  constructor(scope: Construct, id: string, parts: AccountParts) {
    super(scope, id);
    const { applications, userData, wallets, nft, ott } = parts;
    const { users } = userData;
    const { userData: settings, logRetentionDays, backup } = stageOf(this);
    const { accountClients, eraseWithoutAuthTime } = settings;
    /** Of each call. */
    const environment = { ...oidcEnvironment(this), ACCOUNT_CLIENTS: JSON.stringify(accountClients) };
    new MarqueeFunction(this, 'account/preview-erasure', {
      serves: [operations.previewErasureOperation],
      environment: {
        ...environment,
        LOG_DAYS: String(logRetentionDays),
        BACKUP_DAYS: String(Math.max(recoveryDays, backup?.keptDays ?? 0)),
      },
      may: [
        users.may('GetItem'),
        userData.listSubs,
        wallets.owners[1],
        ...nft.tables.listUserTokens,
        applications.list,
      ],
    });
    const { history, listUserTokens, readHistory } = nft.tables;
    new MarqueeFunction(this, 'account/export-user', {
      serves: [operations.exportUserOperation],
      description: 'Gives a user all that is stored of the user',
      environment,
      may: [
        users.may('GetItem'),
        userData.listSubs,
        wallets.readOwn,
        ott.sessions.may('GetItem'),
        applications.read,
        applications.cursors,
        ...listUserTokens,
        history.mayQuery('by_giver'),
        ...readHistory,
      ],
    });
    new MarqueeFunction(this, 'account/erase-user', {
      serves: [operations.eraseUserOperation],
      environment: { ...environment, WITHOUT_AUTH_TIME: eraseWithoutAuthTime },
      may: [users.may('GetItem', 'PutItem'), wallets.end],
    });
    this.failedErasures = addForgetting(new Construct(this, 'Forgetting'), parts);
  }
}
