import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
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
  /** The chain that is asked whether a contract wallet accepts a signature. */
  readonly chain: ChainAccess;
}

/** The wallets that users have linked, and the calls by which they link them. */
export class Wallets extends Construct {
  /** In no other table, so that data that customers read or hear about a user cannot contain an address. */
  readonly table = new MarqueeTable(this, 'Wallets', { keys: ['pk'], expiresAt: 'expires_at' });
  readonly environment: UsersTable['environment'] & { readonly WALLETS_TABLE: string };
  /** Allows reading which user has which wallet, and nothing else about users. */
  readonly owners: readonly PolicyStatementProps[];

  constructor(scope: Construct, id: string, { applications, users, chain }: WalletsProps) {
    super(scope, id);
    const { ott, userData } = stageOf(this);
    this.environment = { ...users.environment, WALLETS_TABLE: this.table.tableName };
    this.owners = [users.readRegistration, this.table.mayOn(['USER#*'], 'GetItem')];
    const environment = { ...oidcEnvironment(this), ...this.environment };
    const TICKET_SECONDS = String(ott.ticketSeconds);
    new MarqueeFunction(this, 'users/create-wallet-challenge', {
      serves: [operations.createChallengeOperation],
      environment: {
        ...environment,
        ...applications.environment,
        CHAIN_ID: chain.environment.CHAIN_ID,
        IS_EMAIL_TRUSTED: String(userData.readOnlyKeys.includes('email')),
      },
      may: [
        applications.read,
        users.may('GetItem'),
        this.table.mayOn(['CHALLENGE#*', 'HOUR#*'], 'PutItem', 'UpdateItem'),
      ],
    });
    new MarqueeFunction(this, 'users/link-wallet', {
      serves: [operations.linkWalletOperation],
      environment: { ...environment, ...chain.ticketEnvironment, TICKET_SECONDS },
      may: [
        users.readRegistration,
        users.may('ConditionCheckItem'),
        chain.ticketEndpoints.read,
        this.table.may('DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
      ],
    });
    new MarqueeFunction(this, 'users/list-wallets', {
      serves: [operations.listWalletsOperation],
      environment,
      may: this.owners,
    });
    new MarqueeFunction(this, 'users/unlink-wallet', {
      serves: [operations.unlinkWalletOperation],
      environment: { ...environment, TICKET_SECONDS },
      may: [users.readRegistration, this.table.mayOn(['USER#*', 'ADDRESS#*'], 'GetItem', 'PutItem')],
    });
  }
}
