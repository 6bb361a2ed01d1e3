import { Construct } from 'constructs';
import * as operations from '../../shared/account/http/operations.ts';
import type { Nft } from '../nft/nft.ts';
import type { Ott } from '../ott/ott.ts';
import type { Applications } from '../platform/applications.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { oidcEnvironment, stageOf } from '../platform/constructs/stage.ts';
import type { UserData } from '../users/user-data.ts';
import type { Wallets } from '../wallets/wallets.ts';

interface AccountParts {
  readonly applications: Applications;
  readonly userData: UserData;
  readonly wallets: Wallets;
  readonly nft: Nft;
  readonly ott: Ott;
}

/** The calls of a user about the whole account. */
export class Account extends Construct {
  constructor(scope: Construct, id: string, { applications, userData, wallets, nft, ott }: AccountParts) {
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
  }
}
