import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import {
  createChallengeOperation,
  linkWalletOperation,
  listWalletsOperation,
  unlinkWalletOperation,
} from '../../shared/wallets/http/operations.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';
import { oidcEnvironment } from '../constructs/oidc-environment.ts';
import type { ServiceApi } from '../constructs/service-api.ts';

export interface WalletsProps {
  readonly stage: StageConfig;
  readonly profile: ServiceApi;
  readonly applications: MarqueeTable;
  readonly users: MarqueeTable;
  /** Who is asked what the contract of a wallet says of a signature. */
  readonly ticketEndpoints: ISecret;
}

/** Which wallets users have linked, and the calls by which they do. */
export class Wallets extends Construct {
  /** In no other table, so that what customers read or hear of a user can hold no address. */
  readonly table: MarqueeTable;

  constructor(scope: Construct, id: string, props: WalletsProps) {
    super(scope, id);
    const { stage, profile, applications, users, ticketEndpoints } = props;
    this.table = new MarqueeTable(this, 'Wallets', {
      stage,
      partitionKey: 'pk',
      timeToLiveAttribute: 'expires_at',
    });
    const environment = {
      ...oidcEnvironment(this, stage.oidc),
      USERS_TABLE: users.tableName,
      WALLETS_TABLE: this.table.tableName,
    };
    const CHAIN_ID = String(stage.nft.chainId);
    const TICKET_SECONDS = String(stage.ott.ticketSeconds);
    const call = (name: string, entry: string, description: string, more: Record<string, string> = {}) =>
      new MarqueeFunction(this, name, {
        stage,
        entry,
        description,
        environment: { ...environment, ...more },
      });

    const challenge = call(
      'CreateWalletChallenge',
      'users/create-wallet-challenge',
      'Gives users a message to sign with a wallet',
      {
        APPLICATIONS_TABLE: applications.tableName,
        CHAIN_ID,
        IS_EMAIL_TRUSTED: String(stage.userData.readOnlyKeys.includes('email')),
      },
    );
    challenge.allow({
      actions: ['dynamodb:GetItem'],
      resources: [applications.tableArn, users.tableArn],
    });
    challenge.allow({
      actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      resources: [this.table.tableArn],
      conditions: this.keys('CHALLENGE#*', 'HOUR#*'),
    });

    const link = call('LinkWallet', 'users/link-wallet', 'Links a wallet to a user', {
      CHAIN_ID,
      CHAIN_SECRET_ARN: ticketEndpoints.secretArn,
      TICKET_SECONDS,
    });
    link.allowSecret(ticketEndpoints);
    link.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
      resources: [this.table.tableArn],
    });
    link.allow({ actions: ['dynamodb:ConditionCheckItem'], resources: [users.tableArn] });

    const list = call('ListWallets', 'users/list-wallets', 'Tells users their wallets');
    const unlink = call('UnlinkWallet', 'users/unlink-wallet', 'Ends the link of a wallet', {
      TICKET_SECONDS,
    });
    this.allowOwners(list, users);
    for (const reader of [link, unlink]) allowRegistration(reader, users);
    unlink.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [this.table.tableArn],
      conditions: this.keys('USER#*', 'ADDRESS#*'),
    });

    profile.mount(createChallengeOperation, challenge);
    profile.mount(listWalletsOperation, list);
    profile.mount(linkWalletOperation, link);
    profile.mount(unlinkWalletOperation, unlink);
  }

  /** Lets a function read whose wallets are whose, and nothing else of users. */
  allowOwners(reader: MarqueeFunction, users: MarqueeTable): void {
    allowRegistration(reader, users);
    reader.allow({
      actions: ['dynamodb:GetItem'],
      resources: [this.table.tableArn],
      conditions: this.keys('USER#*'),
    });
  }

  private keys(...patterns: string[]) {
    return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } };
  }
}

/** Whether a user is registered, without what is stored of them. */
export function allowRegistration(reader: MarqueeFunction, users: MarqueeTable): void {
  reader.allow({
    actions: ['dynamodb:BatchGetItem'],
    resources: [users.tableArn],
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['user_sub', 'registration_id', 'is_removed'] },
      // A read of all attributes names none.
      StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  });
}
