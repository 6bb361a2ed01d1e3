import { Construct } from 'constructs';
import * as operations from '../../shared/nft/http/operations.ts';
import * as reads from '../../shared/nft/http/read-operations.ts';
import * as users from '../../shared/nft/http/user-operations.ts';
import { ChainAccess } from '../chain/chain-access.ts';
import type { Applications } from '../platform/applications.ts';
import type { FunctionFolder, Permission } from '../platform/constructs/environments.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import type { MountedOperation } from '../platform/constructs/service-api.ts';
import { oidcEnvironment, stageOf } from '../platform/constructs/stage.ts';
import type { Wallets } from '../wallets/wallets.ts';
import { addNftAlarms } from './nft-alarms.ts';
import { NftTables } from './nft-tables.ts';
import { addSignerWatch, addWaiter } from './waiter.ts';

type UpdateEntry = Extract<FunctionFolder, `nft/update-${string}` | 'nft/revoke-token' | 'nft/set-royalty'>;

/** What the calls for reserved tokens may read of users. */
interface UserReads {
  readonly readRegistration: Permission<'USERS_TABLE'>;
  readonly findSubs: Permission<'SUBS_TABLE'>;
  readonly findReadableSubs: Permission<'SUBS_TABLE'>;
  readonly findSub: Permission<'SUBS_TABLE'>;
}

/** The part of the service for contracts and tokens: its calls, the transaction log, and the waiter. */
export class Nft extends Construct {
  readonly tables = new NftTables(this, 'Tables');
  readonly chain = new ChainAccess(this, 'Chain');
  private readonly calls = new Construct(this, 'Calls');

  constructor(scope: Construct, id: string, applications: Applications) {
    super(scope, id);
    const { tables, chain } = this;
    this.addChangingCalls(applications);
    this.addOwnerCall(applications);
    this.addPublicMetadata(new Construct(this, 'PublicMetadata'));
    const { machine, start } = addWaiter(new Construct(this, 'Waiter'), tables, chain);
    addSignerWatch(new Construct(this, 'SignerWatch'), tables, chain, start);
    addNftAlarms(new Construct(this, 'Alarms'), machine);
  }

  /** What every call needs that signs, records and sends a transaction for an application. */
  private signingFor(applications: Applications) {
    const { tables, chain } = this;
    const environment = { ...chain.environment, ...tables.nfts.variables };
    const { concurrency } = stageOf(this);
    return {
      signing: { memorySize: 1024, reservedConcurrentExecutions: concurrency?.signing, environment },
      may: [applications.read, ...chain.sign] as const,
    };
  }

  /**
   * Adds the calls that know users: they reserve tokens for them, mint these when they are claimed, list them, and tell
   * who had them. They read the users' registrations, and only a user's own claim reads wallets.
   */
  addReservingCalls(
    applications: Applications,
    userReads: UserReads,
    wallets: Pick<Wallets, 'owners' | 'checkEnded'>,
  ): void {
    this.addIssuingCalls(applications, userReads, wallets);
    this.addUserCalls(applications, userReads, wallets);
    this.addReadingCalls(applications, userReads);
  }

  private addUserCalls(
    applications: Applications,
    { readRegistration, findSub }: UserReads,
    { owners, checkEnded }: Pick<Wallets, 'owners' | 'checkEnded'>,
  ): void {
    const { tables, calls: scope } = this;
    const { signing, may } = this.signingFor(applications);
    const { concurrency, nft } = stageOf(this);
    const { claimAfterSeconds, claimsPerDay } = nft;
    new MarqueeFunction(scope, 'nft/claim-token', {
      ...signing,
      reservedConcurrentExecutions: concurrency?.updating,
      serves: [users.claimTokenOperation],
      environment: {
        ...signing.environment,
        ...oidcEnvironment(this),
        CLAIM_AFTER_SECONDS: String(claimAfterSeconds),
        CLAIMS_PER_DAY: String(claimsPerDay),
      },
      may: [...may, ...tables.claim, findSub, ...owners, checkEnded],
    });
    new MarqueeFunction(scope, 'nft/list-user-tokens', {
      serves: [users.listUserTokensOperation, users.getOwnTokenHistoryOperation],
      description: 'Lists the tokens of a user, and tells what happened to each',
      environment: oidcEnvironment(this),
      may: [
        applications.read,
        applications.cursors,
        ...tables.listUserTokens,
        ...tables.readHistory,
        readRegistration,
        findSub,
      ],
    });
  }

  private addIssuingCalls(
    applications: Applications,
    { readRegistration, findReadableSubs }: UserReads,
    { checkEnded }: Pick<Wallets, 'checkEnded'>,
  ): void {
    const { calls: scope } = this;
    const { signing, may } = this.signingFor(applications);
    const issuing = [...may, ...this.tables.mint, readRegistration, findReadableSubs] as const;
    new MarqueeFunction(scope, 'nft/mint-token', {
      ...signing,
      serves: [operations.mintTokenOperation, operations.setDestinationOperation],
      description: 'Mints a token, reserves one for a user, or gives a reserved one to another receiver',
      may: [...issuing, this.tables.tell, checkEnded],
    });
    new MarqueeFunction(scope, 'nft/mint-batch', {
      ...signing,
      serves: [operations.mintBatchOperation],
      may: issuing,
    });
  }

  /** Adds the calls that deploy and change contracts, and change tokens. */
  private addChangingCalls(applications: Applications): void {
    const { tables, calls: scope } = this;
    const { concurrency } = stageOf(this);
    const { signing, may } = this.signingFor(applications);
    new MarqueeFunction(scope, 'nft/create-contract', {
      ...signing,
      serves: [operations.createContractOperation],
      may: [...may, applications.assignSigner, ...tables.deploy],
    });
    const { updateTokens, updateContract } = tables;
    const update = (
      entry: UpdateEntry,
      operation: MountedOperation,
      changes: typeof updateTokens | typeof updateContract,
    ) =>
      new MarqueeFunction(scope, entry, {
        ...signing,
        serves: [operation],
        reservedConcurrentExecutions: concurrency?.updating,
        may: [...may, ...changes],
      });
    update('nft/update-token-metadata', operations.updateTokenMetadataOperation, updateTokens);
    update('nft/update-metadata-batch', operations.updateMetadataBatchOperation, updateTokens);
    update('nft/revoke-token', operations.revokeTokenOperation, updateTokens);
    update('nft/update-contract-metadata', operations.updateContractMetadataOperation, updateContract);
    update('nft/set-royalty', operations.setRoyaltyOperation, updateContract);
  }

  private addReadingCalls({ read, cursors }: Applications, { readRegistration, findSubs }: UserReads): void {
    const { tables, calls: scope } = this;
    new MarqueeFunction(scope, 'nft/show-collections', {
      serves: [
        reads.listContractsOperation,
        reads.getContractOperation,
        reads.listTokensOperation,
        reads.getTokenOperation,
        reads.getTokenHistoryOperation,
      ],
      description: 'Shows applications their contracts and tokens, and what happened to these',
      may: [
        read,
        cursors,
        tables.listContracts,
        ...tables.listTokens,
        ...tables.readHistory,
        readRegistration,
        findSubs,
      ],
    });
  }

  private addOwnerCall({ read }: Applications): void {
    const { tables, chain, calls: scope } = this;
    new MarqueeFunction(scope, 'nft/get-token-owner', {
      serves: [reads.getTokenOwnerOperation],
      environment: chain.chainId,
      may: [read, ...tables.readToken, chain.readTicketEndpoints],
    });
  }

  /** Adds the public calls to which `contractURI` and `tokenURI` point. They need no API key. */
  private addPublicMetadata(scope: Construct): void {
    const { findContract, readToken } = this.tables;
    new MarqueeFunction(scope, 'nft/show-metadata', {
      serves: [reads.getContractMetadataOperation, reads.getTokenMetadataOperation],
      description: 'Gives the metadata of contracts and tokens to everybody',
      may: [...findContract, ...readToken],
    });
  }
}
