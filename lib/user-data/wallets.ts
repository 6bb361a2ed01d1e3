import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import * as operations from '../../shared/wallets/http/operations.ts';
import type { Applications } from '../applications.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';
import { oidcEnvironment } from '../constructs/oidc-environment.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import type { ChainAccess } from '../nft/chain-access.ts';
import type { UsersTable } from './users-table.ts';

export interface WalletsProps {
  readonly stage: StageConfig;
  readonly profile: ServiceApi;
  readonly applications: Applications;
  readonly users: UsersTable;
  /** What is asked whether the contract of a wallet accepts a signature. */
  readonly chain: ChainAccess;
}

/** Which wallets users have linked, and the calls by which they do. */
export class Wallets extends Construct {
  /** In no other table, so that what customers read or hear of a user can hold no address. */
  readonly table: MarqueeTable;
  private readonly users: UsersTable;

  constructor(scope: Construct, id: string, props: WalletsProps) {
    super(scope, id);
    const { stage, profile, applications, users, chain } = props;
    this.users = users;
    this.table = new MarqueeTable(this, 'Wallets', {
      stage,
      partitionKey: 'pk',
      timeToLiveAttribute: 'expires_at',
    });
    const environment = { ...oidcEnvironment(this, stage.oidc), ...this.environment };
    const TICKET_SECONDS = String(stage.ott.ticketSeconds);
    const challenge = new MarqueeFunction(this, 'CreateWalletChallenge', {
      stage,
      entry: 'users/create-wallet-challenge',
      description: 'Gives users a message to sign with a wallet',
      environment: {
        ...environment,
        ...applications.environment,
        CHAIN_ID: chain.environment.CHAIN_ID,
        IS_EMAIL_TRUSTED: String(stage.userData.readOnlyKeys.includes('email')),
      },
    });
    const link = new MarqueeFunction(this, 'LinkWallet', {
      stage,
      entry: 'users/link-wallet',
      description: 'Links a wallet to a user',
      environment: { ...environment, ...chain.ticketEnvironment, TICKET_SECONDS },
    });
    const list = new MarqueeFunction(this, 'ListWallets', {
      stage,
      entry: 'users/list-wallets',
      description: 'Tells users their wallets',
      environment,
    });
    const unlink = new MarqueeFunction(this, 'UnlinkWallet', {
      stage,
      entry: 'users/unlink-wallet',
      description: 'Ends the link of a wallet',
      environment: { ...environment, TICKET_SECONDS },
    });
    applications.grantRead(challenge);
    users.grantRead(challenge);
    this.table.grantKeys(challenge, ['PutItem', 'UpdateItem'], ['CHALLENGE#*', 'HOUR#*']);
    users.grantRegistration(link, unlink);
    users.grant(link, ['ConditionCheckItem']);
    chain.grantTickets(link);
    this.table.grant(link, ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem']);
    this.grantOwners(list);
    this.table.grantKeys(unlink, ['GetItem', 'PutItem'], ['USER#*', 'ADDRESS#*']);
    profile.mount(operations.createChallengeOperation, challenge);
    profile.mount(operations.listWalletsOperation, list);
    profile.mount(operations.linkWalletOperation, link);
    profile.mount(operations.unlinkWalletOperation, unlink);
  }

  get environment() {
    return { ...this.users.environment, WALLETS_TABLE: this.table.tableName };
  }

  /** Whose wallets are whose, and nothing else of users. */
  grantOwners(to: MarqueeFunction): void {
    this.users.grantRegistration(to);
    this.table.grantKeys(to, ['GetItem'], ['USER#*']);
  }
}
