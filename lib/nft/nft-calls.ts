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

export class NftCalls extends Construct {
  private readonly baseUrl = { PUBLIC_BASE_URL: ServiceApi.of(this, 'base').baseUrl };

  constructor(scope: Construct, id: string, { applications, tables, chain }: NftCallsProps) {
    super(scope, id);
    // Calls that sign, record and send a transaction for an application.
    const { concurrency } = stageOf(this);
    const environment = { ...chain.environment, ...tables.nfts.variables };
    const signing = { memorySize: 1024, reservedConcurrentExecutions: concurrency?.signing, environment };
    const may = [applications.read, ...chain.sign] as const;
    new MarqueeFunction(this, 'nft/create-contract', {
      ...signing,
      serves: [operations.createContractOperation],
      environment: { ...environment, ...this.baseUrl },
      may: [...may, applications.assignSigner, ...tables.deploy],
    });
    new MarqueeFunction(this, 'nft/mint-token', {
      ...signing,
      serves: [operations.mintTokenOperation],
      environment: { ...environment, ...this.baseUrl },
      may: [...may, ...tables.mint],
    });
    new MarqueeFunction(this, 'nft/mint-batch', {
      ...signing,
      serves: [operations.mintBatchOperation],
      may: [...may, ...tables.mint],
    });
    const update = (
      entry: UpdateEntry,
      operation: MountedOperation,
      changes: NftTables['updateTokens' | 'updateContract'],
    ) =>
      new MarqueeFunction(this, entry, {
        ...signing,
        serves: [operation],
        reservedConcurrentExecutions: concurrency?.updating,
        may: [...may, ...changes],
      });
    const { updateTokens, updateContract } = tables;
    update('nft/update-token-metadata', operations.updateTokenMetadataOperation, updateTokens);
    update('nft/update-metadata-batch', operations.updateMetadataBatchOperation, updateTokens);
    update('nft/revoke-token', operations.revokeTokenOperation, updateTokens);
    update('nft/update-contract-metadata', operations.updateContractMetadataOperation, updateContract);
    update('nft/set-royalty', operations.setRoyaltyOperation, updateContract);

    // Calls that read.
    new MarqueeFunction(this, 'nft/list-contracts', {
      serves: [reads.listContractsOperation],
      environment: this.baseUrl,
      may: [applications.read, applications.cursors, tables.listContracts],
    });
    new MarqueeFunction(this, 'nft/get-contract', {
      serves: [reads.getContractOperation],
      may: [applications.read, tables.readContract],
    });
    new MarqueeFunction(this, 'nft/list-tokens', {
      serves: [reads.listTokensOperation],
      environment: this.baseUrl,
      may: [applications.read, applications.cursors, ...tables.listTokens],
    });
    new MarqueeFunction(this, 'nft/get-token', {
      serves: [reads.getTokenOperation],
      may: [applications.read, ...tables.readToken],
    });
    new MarqueeFunction(this, 'nft/get-token-owner', {
      serves: [reads.getTokenOwnerOperation],
      environment: chain.chainId,
      may: [applications.read, ...tables.readToken, chain.readTicketEndpoints],
    });
  }
}
