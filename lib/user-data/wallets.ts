import { Construct } from 'constructs';
import * as operations from '../../shared/wallets/http/operations.ts';
import type { Applications } from '../applications.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';
import { oidcEnvironment, stageOf } from '../constructs/stage.ts';
import type { ChainAccess } from '../nft/chain-access.ts';
import type { UsersTable } from './users-table.ts';

export interface WalletsProps {
  readonly applications: Applications;
  readonly users: UsersTable;
  /** What is asked whether the contract of a wallet accepts a signature. */
  readonly chain: ChainAccess;
}

/** Which wallets users have linked, and the calls by which they do. */
export class Wallets extends Construct {
  /** In no other table, so that what customers read or hear of a user can hold no address. */
  readonly table = new MarqueeTable(this, 'Wallets', { keys: ['pk'], expiresAt: 'expires_at' });
  private readonly users: UsersTable;

  constructor(scope: Construct, id: string, { applications, users, chain }: WalletsProps) {
    super(scope, id);
    this.users = users;
    const { ott, userData } = stageOf(this);
    const environment = { ...oidcEnvironment(this), ...this.environment };
    const TICKET_SECONDS = String(ott.ticketSeconds);
    const challenge = new MarqueeFunction(this, 'users/create-wallet-challenge', {
      serves: [operations.createChallengeOperation],
      environment: {
        ...environment,
        ...applications.environment,
        CHAIN_ID: chain.environment.CHAIN_ID,
        IS_EMAIL_TRUSTED: String(userData.readOnlyKeys.includes('email')),
      },
    });
    const link = new MarqueeFunction(this, 'users/link-wallet', {
      serves: [operations.linkWalletOperation],
      environment: { ...environment, ...chain.ticketEnvironment, TICKET_SECONDS },
    });
    const list = new MarqueeFunction(this, 'users/list-wallets', {
      serves: [operations.listWalletsOperation],
      environment,
    });
    const unlink = new MarqueeFunction(this, 'users/unlink-wallet', {
      serves: [operations.unlinkWalletOperation],
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
