import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import {
  createContractOperation,
  mintBatchOperation,
  mintTokenOperation,
  revokeTokenOperation,
  setRoyaltyOperation,
  updateContractMetadataOperation,
  updateMetadataBatchOperation,
  updateTokenMetadataOperation,
} from '../../shared/nft/http/operations.ts';
import {
  getContractOperation,
  getTokenOperation,
  getTokenOwnerOperation,
  listContractsOperation,
  listTokensOperation,
} from '../../shared/nft/http/read-operations.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { MarqueeTable } from '../constructs/marquee-table.ts';
import type { MountedOperation, ServiceApi } from '../constructs/service-api.ts';
import type { ChainAccess } from './chain-access.ts';
import type { NftTables } from './nft-tables.ts';

export interface NftCallsProps {
  readonly stage: StageConfig;
  readonly api: ServiceApi;
  readonly applications: MarqueeTable;
  readonly cursorSecret: ISecret;
  readonly tables: NftTables;
  readonly chain: ChainAccess;
}

/** The calls that customers make with a key: eight that cost gas, five that read. */
export class NftCalls extends Construct {
  constructor(scope: Construct, id: string, props: NftCallsProps) {
    super(scope, id);
    this.addWrites(props);
    this.addUpdates(props);
    this.addReads(props);
  }

  private addWrites(props: NftCallsProps): void {
    const { api, tables } = props;
    const create = this.addWrite(props, {
      id: 'CreateContract',
      entry: 'nft/create-contract',
      description: 'Deploys a contract',
      environment: { PUBLIC_BASE_URL: api.baseUrl },
    });
    // An application's first contract stores its signer.
    create.allow({
      actions: ['dynamodb:UpdateItem'],
      resources: [props.applications.tableArn],
      conditions: {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'signer', 'version'] },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      },
    });
    create.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [tables.contracts.tableArn],
    });
    const mint = this.addWrite(props, {
      id: 'MintToken',
      entry: 'nft/mint-token',
      description: 'Mints a token into a contract',
      environment: { PUBLIC_BASE_URL: api.baseUrl },
    });
    const mintBatch = this.addWrite(props, {
      id: 'MintBatch',
      entry: 'nft/mint-batch',
      description: 'Mints up to 95 tokens into a contract with one transaction',
    });
    for (const minting of [mint, mintBatch]) {
      minting.allow({ actions: ['dynamodb:GetItem'], resources: [tables.contracts.tableArn] });
      minting.allow({
        actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
        resources: [tables.nfts.tableArn],
      });
    }
    api.mount(createContractOperation, create);
    api.mount(mintTokenOperation, mint);
    api.mount(mintBatchOperation, mintBatch);
  }

  /** Changes of what was made. */
  private addUpdates(props: NftCallsProps): void {
    const { api, tables } = props;
    const read = ['dynamodb:GetItem'];
    const readAndChange = [...read, 'dynamodb:UpdateItem'];
    const reservedConcurrentExecutions = props.stage.concurrency?.updating;
    const add = (operation: MountedOperation, call: Omit<Call, 'environment'>, contractActions: string[]) => {
      const added = this.addWrite(props, { ...call, reservedConcurrentExecutions });
      added.allow({ actions: contractActions, resources: [tables.contracts.tableArn] });
      api.mount(operation, added);
      return added;
    };
    const ofToken = add(
      updateTokenMetadataOperation,
      {
        id: 'UpdateTokenMetadata',
        entry: 'nft/update-token-metadata',
        description: 'Replaces the metadata of a token',
      },
      read,
    );
    const ofTokens = add(
      updateMetadataBatchOperation,
      {
        id: 'UpdateMetadataBatch',
        entry: 'nft/update-metadata-batch',
        description: 'Replaces the metadata of up to 95 tokens',
      },
      read,
    );
    const revoke = add(
      revokeTokenOperation,
      { id: 'RevokeToken', entry: 'nft/revoke-token', description: 'Burns a token' },
      read,
    );
    for (const update of [ofToken, ofTokens, revoke]) {
      update.allow({ actions: ['dynamodb:Query', 'dynamodb:UpdateItem'], resources: [tables.nfts.tableArn] });
    }
    add(
      updateContractMetadataOperation,
      {
        id: 'UpdateContractMetadata',
        entry: 'nft/update-contract-metadata',
        description: 'Replaces the metadata of a contract',
      },
      readAndChange,
    );
    add(
      setRoyaltyOperation,
      { id: 'SetRoyalty', entry: 'nft/set-royalty', description: 'Sets the royalty of a contract' },
      readAndChange,
    );
  }

  private addReads(props: NftCallsProps): void {
    const { api, cursorSecret, tables } = props;
    const CONTRACTS_TABLE = tables.contracts.tableName;
    const NFTS_TABLE = tables.nfts.tableName;
    const list = { CURSOR_SECRET_ARN: cursorSecret.secretArn, PUBLIC_BASE_URL: api.baseUrl };

    const listContracts = this.addCall(props, {
      id: 'ListContracts',
      entry: 'nft/list-contracts',
      description: "Lists an application's contracts",
      environment: { CONTRACTS_TABLE, ...list },
    });
    const getContract = this.addCall(props, {
      id: 'GetContract',
      entry: 'nft/get-contract',
      description: 'Gives one contract',
      environment: { CONTRACTS_TABLE },
    });
    const listTokens = this.addCall(props, {
      id: 'ListTokens',
      entry: 'nft/list-tokens',
      description: "Lists a contract's tokens",
      environment: { CONTRACTS_TABLE, NFTS_TABLE, ...list },
    });
    const getToken = this.addCall(props, {
      id: 'GetToken',
      entry: 'nft/get-token',
      description: 'Gives one token',
      environment: { CONTRACTS_TABLE, NFTS_TABLE },
    });
    const getTokenOwner = this.addCall(props, {
      id: 'GetTokenOwner',
      entry: 'nft/get-token-owner',
      description: 'Asks the chain who holds a token',
      environment: {
        CONTRACTS_TABLE,
        NFTS_TABLE,
        CHAIN_ID: String(props.stage.nft.chainId),
        // As tickets: what customers read never uses up what mints need.
        CHAIN_SECRET_ARN: props.chain.ticketEndpoints.secretArn,
      },
    });
    getTokenOwner.allowSecret(props.chain.ticketEndpoints);
    listContracts.allow({ actions: ['dynamodb:Query'], resources: [tables.contracts.indexArn('newest')] });
    for (const reader of [getContract, listTokens, getToken, getTokenOwner]) {
      reader.allow({ actions: ['dynamodb:GetItem'], resources: [tables.contracts.tableArn] });
    }
    listTokens.allow({
      actions: ['dynamodb:Query'],
      resources: [tables.nfts.tableArn, tables.nfts.indexArn('by_destination')],
    });
    listTokens.allow({ actions: ['dynamodb:BatchGetItem'], resources: [tables.nfts.tableArn] });
    for (const reader of [getToken, getTokenOwner]) {
      reader.allow({ actions: ['dynamodb:GetItem'], resources: [tables.nfts.tableArn] });
    }
    for (const reader of [listContracts, listTokens]) reader.allowSecret(cursorSecret);

    api.mount(listContractsOperation, listContracts);
    api.mount(getContractOperation, getContract);
    api.mount(listTokensOperation, listTokens);
    api.mount(getTokenOperation, getToken);
    api.mount(getTokenOwnerOperation, getTokenOwner);
  }

  /** A call that signs, logs and sends a transaction. */
  private addWrite(
    { tables, chain, api, ...props }: NftCallsProps,
    call: Omit<Call, 'environment'> & Partial<Pick<Call, 'environment'>>,
  ): MarqueeFunction {
    const write = this.addCall(
      { tables, chain, api, ...props },
      {
        reservedConcurrentExecutions: props.stage.concurrency?.signing,
        ...call,
        environment: { ...tables.environment, ...chain.environment, ...call.environment },
        memorySize: 1024,
      },
    );
    chain.grant(write);
    write.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [tables.transactions.tableArn],
    });
    write.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      resources: [tables.signers.tableArn],
    });
    write.allow({
      actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      resources: [tables.requests.tableArn],
    });
    return write;
  }

  private addCall(
    { stage, applications }: NftCallsProps,
    { id, environment, ...call }: Call,
  ): MarqueeFunction {
    const added = new MarqueeFunction(this, id, {
      stage,
      environment: { APPLICATIONS_TABLE: applications.tableName, ...environment },
      ...call,
    });
    added.allow({ actions: ['dynamodb:GetItem'], resources: [applications.tableArn] });
    return added;
  }
}

interface Call {
  readonly id: string;
  readonly entry: string;
  readonly description: string;
  readonly environment: Record<string, string>;
  readonly memorySize?: number;
  readonly reservedConcurrentExecutions?: number | undefined;
}
