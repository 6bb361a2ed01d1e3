import { Construct } from 'constructs';
import * as operations from '../../shared/nft/http/operations.ts';
import * as reads from '../../shared/nft/http/read-operations.ts';
import type { Applications } from '../applications.ts';
import type { Entry } from '../constructs/environments.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { type MountedOperation, ServiceApi } from '../constructs/service-api.ts';
import { stageOf } from '../constructs/stage.ts';
import type { ChainAccess } from './chain-access.ts';
import type { NftTables } from './nft-tables.ts';

export interface NftCallsProps {
  readonly applications: Applications;
  readonly tables: NftTables;
  readonly chain: ChainAccess;
}

type UpdateEntry = Extract<Entry, `nft/update-${string}` | 'nft/revoke-token' | 'nft/set-royalty'>;

/** The calls that customers make with a key: eight that cost gas, five that read. */
export class NftCalls extends Construct {
  private readonly baseUrl = { PUBLIC_BASE_URL: ServiceApi.of(this, 'base').baseUrl };

  constructor(scope: Construct, id: string, props: NftCallsProps) {
    super(scope, id);
    this.addSigning(props);
    this.addReads(props);
  }

  /** Each signs, logs and sends a transaction for an application. */
  private addSigning({ applications, tables, chain }: NftCallsProps): void {
    const { concurrency } = stageOf(this);
    const environment = { ...applications.environment, ...tables.environment, ...chain.environment };
    const signing = { memorySize: 1024, reservedConcurrentExecutions: concurrency?.signing, environment };
    const create = new MarqueeFunction(this, 'nft/create-contract', {
      ...signing,
      serves: [operations.createContractOperation],
      environment: { ...environment, ...this.baseUrl },
    });
    const mint = new MarqueeFunction(this, 'nft/mint-token', {
      ...signing,
      serves: [operations.mintTokenOperation],
      environment: { ...environment, ...this.baseUrl },
    });
    const mintBatch = new MarqueeFunction(this, 'nft/mint-batch', {
      ...signing,
      serves: [operations.mintBatchOperation],
    });
    const update = (entry: UpdateEntry, operation: MountedOperation) =>
      new MarqueeFunction(this, entry, {
        ...signing,
        serves: [operation],
        reservedConcurrentExecutions: concurrency?.updating,
      });
    const ofTokens = [
      update('nft/update-token-metadata', operations.updateTokenMetadataOperation),
      update('nft/update-metadata-batch', operations.updateMetadataBatchOperation),
      update('nft/revoke-token', operations.revokeTokenOperation),
    ];
    const ofContracts = [
      update('nft/update-contract-metadata', operations.updateContractMetadataOperation),
      update('nft/set-royalty', operations.setRoyaltyOperation),
    ];
    for (const call of [create, mint, mintBatch, ...ofTokens, ...ofContracts]) {
      applications.grantRead(call);
      chain.grantSign(call);
    }
    applications.grantAssignSigner(create);
    tables.grantDeploy(create);
    for (const call of [mint, mintBatch]) tables.grantMint(call);
    for (const call of ofTokens) tables.grantUpdateTokens(call);
    for (const call of ofContracts) tables.grantUpdateContract(call);
  }

  private addReads({ applications, tables, chain }: NftCallsProps): void {
    const { CONTRACTS_TABLE, NFTS_TABLE } = tables.readEnvironment;
    const ofContracts = { ...applications.environment, CONTRACTS_TABLE };
    const ofTokens = { ...ofContracts, NFTS_TABLE };
    const paged = { ...applications.cursorEnvironment, ...this.baseUrl };
    const listContracts = new MarqueeFunction(this, 'nft/list-contracts', {
      serves: [reads.listContractsOperation],
      environment: { ...ofContracts, ...paged },
    });
    const getContract = new MarqueeFunction(this, 'nft/get-contract', {
      serves: [reads.getContractOperation],
      environment: ofContracts,
    });
    const listTokens = new MarqueeFunction(this, 'nft/list-tokens', {
      serves: [reads.listTokensOperation],
      environment: { ...ofTokens, ...paged },
    });
    const getToken = new MarqueeFunction(this, 'nft/get-token', {
      serves: [reads.getTokenOperation],
      environment: ofTokens,
    });
    const getTokenOwner = new MarqueeFunction(this, 'nft/get-token-owner', {
      serves: [reads.getTokenOwnerOperation],
      environment: { ...ofTokens, ...chain.ticketEnvironment },
    });
    applications.grantRead(listContracts, getContract, listTokens, getToken, getTokenOwner);
    applications.grantCursors(listContracts, listTokens);
    tables.grantListContracts(listContracts);
    tables.grantReadContract(getContract);
    tables.grantListTokens(listTokens);
    for (const reader of [getToken, getTokenOwner]) tables.grantReadToken(reader);
    chain.grantTickets(getTokenOwner);
  }
}
