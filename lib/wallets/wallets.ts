import { Construct } from 'constructs';
import * as operations from '../../shared/wallets/http/operations.ts';
import type { ChainAccess } from '../chain/chain-access.ts';
import type { Applications } from '../platform/applications.ts';
import type { Permission } from '../platform/constructs/environments.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { MarqueeTable } from '../platform/constructs/marquee-table.ts';
import { oidcEnvironment, stageOf } from '../platform/constructs/stage.ts';

/**
 * The wallets that users have linked, and the calls with which users link them. If a wallet is a contract, the chain is
 * asked whether the contract accepts a signature.
 */
export class Wallets extends Construct {
  /** Keeps the wallets' addresses apart from the user data that customers can read or receive in notifications. */
  private readonly table = new MarqueeTable(this, 'Wallets', 'WALLETS_TABLE', {
    keys: ['pk'],
    timeToLiveAttribute: 'expires_at',
  });
  /** Allows reading all that is stored of a user's wallets. */
  readonly readOwn = this.table.mayOn(['USER#*', 'ADDRESS#*', 'HOUR#*'], 'GetItem');
  /** Allows reading which wallets belong to which user, but nothing else about users. */
  readonly owners: readonly [Permission<'USERS_TABLE'>, Permission<'WALLETS_TABLE'>];
  /** Allows writing only as long as the registration of a user has not ended. */
  readonly checkEnded = this.table.mayOn(['ENDED#*'], 'ConditionCheckItem');
  /** Allows ending the registration of a user. */
  readonly end = this.table.mayOn(['ENDED#*'], 'PutItem');
  /** Allows unlinking all wallets of a user. */
  readonly unlink = [
    this.table.mayOn(['USER#*', 'ADDRESS#*'], 'GetItem', 'PutItem', 'UpdateItem'),
    this.table.mayOn(['USER#*'], 'DeleteItem'),
  ] as const;

  constructor(
    scope: Construct,
    id: string,
    applications: Applications,
    chain: ChainAccess,
    users: MarqueeTable<'USERS_TABLE'>,
    readRegistration: Permission<'USERS_TABLE'>,
  ) {
    super(scope, id);
    const { ott, userData } = stageOf(this);
    this.owners = [readRegistration, this.table.mayOn(['USER#*'], 'GetItem')];
    const environment = oidcEnvironment(this);
    const TICKET_SECONDS = String(ott.ticketSeconds);
    new MarqueeFunction(this, 'wallets/create-wallet-challenge', {
      serves: [operations.createChallengeOperation],
      environment: {
        ...environment,
        ...chain.chainId,
        IS_EMAIL_TRUSTED: String(userData.readOnlyKeys.includes('email')),
      },
      may: [
        applications.read,
        users.may('GetItem'),
        this.table.mayOn(['CHALLENGE#*', 'HOUR#*'], 'PutItem', 'UpdateItem'),
      ],
    });
    new MarqueeFunction(this, 'wallets/link-wallet', {
      serves: [operations.linkWalletOperation],
      environment: { ...environment, ...chain.chainId, TICKET_SECONDS },
      may: [
        chain.readTicketEndpoints,
        this.table.mayOn(['USER#*', 'ADDRESS#*'], 'GetItem', 'PutItem', 'UpdateItem'),
        this.table.mayOn(['USER#*'], 'DeleteItem'),
        this.table.mayOn(['CHALLENGE#*'], 'GetItem', 'UpdateItem'),
        this.table.mayOn(['ENDED#*'], 'ConditionCheckItem', 'GetItem'),
      ],
    });
    new MarqueeFunction(this, 'wallets/list-wallets', {
      serves: [operations.listWalletsOperation, operations.unlinkWalletOperation],
      description: 'Lists the wallets of a user, or unlinks one',
      environment: { ...environment, TICKET_SECONDS },
      may: [readRegistration, this.table.mayOn(['USER#*', 'ADDRESS#*'], 'GetItem', 'PutItem', 'UpdateItem')],
    });
  }
}
