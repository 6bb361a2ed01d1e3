import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import * as operations from '../../shared/nft/http/operations.ts';
import * as reads from '../../shared/nft/http/read-operations.ts';
import type { Applications } from '../applications.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import type { ChainAccess } from './chain-access.ts';
import type { NftTables } from './nft-tables.ts';

export interface NftCallsProps {
  readonly stage: StageConfig;
  readonly api: ServiceApi;
  readonly applications: Applications;
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
    const { stage, api, applications, tables } = props;
    const signing = { stage, memorySize: 1024, reservedConcurrentExecutions: stage.concurrency?.signing };
    const environment = signingEnvironment(props);
    const create = new MarqueeFunction(this, 'CreateContract', {
      ...signing,
      entry: 'nft/create-contract',
      description: 'Deploys a contract',
      environment: { ...environment, PUBLIC_BASE_URL: api.baseUrl },
    });
    const mint = new MarqueeFunction(this, 'MintToken', {
      ...signing,
      entry: 'nft/mint-token',
      description: 'Mints a token into a contract',
      environment: { ...environment, PUBLIC_BASE_URL: api.baseUrl },
    });
    const mintBatch = new MarqueeFunction(this, 'MintBatch', {
      ...signing,
      entry: 'nft/mint-batch',
      description: 'Mints up to 95 tokens into a contract with one transaction',
      environment,
    });
    grantSigning(props, create, mint, mintBatch);
    applications.grantAssignSigner(create);
    tables.grantDeploy(create);
    for (const minting of [mint, mintBatch]) tables.grantMint(minting);
    api.mount(operations.createContractOperation, create);
    api.mount(operations.mintTokenOperation, mint);
    api.mount(operations.mintBatchOperation, mintBatch);
  }

  /** Changes of what was made. */
  private addUpdates(props: NftCallsProps): void {
    const { stage, api, tables } = props;
    const update = (id: string, entry: UpdateEntry, description: string) =>
      new MarqueeFunction(this, id, {
        stage,
        entry,
        description,
        memorySize: 1024,
        reservedConcurrentExecutions: stage.concurrency?.updating,
        environment: signingEnvironment(props),
      });
    const token = update(
      'UpdateTokenMetadata',
      'nft/update-token-metadata',
      'Replaces the metadata of a token',
    );
    const tokens = update(
      'UpdateMetadataBatch',
      'nft/update-metadata-batch',
      'Replaces the metadata of up to 95 tokens',
    );
    const revoke = update('RevokeToken', 'nft/revoke-token', 'Burns a token');
    const contract = update(
      'UpdateContractMetadata',
      'nft/update-contract-metadata',
      'Replaces the metadata of a contract',
    );
    const royalty = update('SetRoyalty', 'nft/set-royalty', 'Sets the royalty of a contract');
    grantSigning(props, token, tokens, revoke, contract, royalty);
    for (const each of [token, tokens, revoke]) tables.grantUpdateTokens(each);
    for (const each of [contract, royalty]) tables.grantUpdateContract(each);
    api.mount(operations.updateTokenMetadataOperation, token);
    api.mount(operations.updateMetadataBatchOperation, tokens);
    api.mount(operations.revokeTokenOperation, revoke);
    api.mount(operations.updateContractMetadataOperation, contract);
    api.mount(operations.setRoyaltyOperation, royalty);
  }

  private addReads({ stage, api, applications, tables, chain }: NftCallsProps): void {
    const { CONTRACTS_TABLE, NFTS_TABLE } = tables.readEnvironment;
    const ofContracts = { ...applications.environment, CONTRACTS_TABLE };
    const ofTokens = { ...ofContracts, NFTS_TABLE };
    const paged = { ...applications.cursorEnvironment, PUBLIC_BASE_URL: api.baseUrl };
    const listContracts = new MarqueeFunction(this, 'ListContracts', {
      stage,
      entry: 'nft/list-contracts',
      description: "Lists an application's contracts",
      environment: { ...ofContracts, ...paged },
    });
    const getContract = new MarqueeFunction(this, 'GetContract', {
      stage,
      entry: 'nft/get-contract',
      description: 'Gives one contract',
      environment: ofContracts,
    });
    const listTokens = new MarqueeFunction(this, 'ListTokens', {
      stage,
      entry: 'nft/list-tokens',
      description: "Lists a contract's tokens",
      environment: { ...ofTokens, ...paged },
    });
    const getToken = new MarqueeFunction(this, 'GetToken', {
      stage,
      entry: 'nft/get-token',
      description: 'Gives one token',
      environment: ofTokens,
    });
    const getTokenOwner = new MarqueeFunction(this, 'GetTokenOwner', {
      stage,
      entry: 'nft/get-token-owner',
      description: 'Asks the chain who holds a token',
      environment: { ...ofTokens, ...chain.ticketEnvironment },
    });
    applications.grantRead(listContracts, getContract, listTokens, getToken, getTokenOwner);
    applications.grantCursors(listContracts, listTokens);
    tables.grantListContracts(listContracts);
    tables.grantReadContract(getContract);
    tables.grantListTokens(listTokens);
    for (const reader of [getToken, getTokenOwner]) tables.grantReadToken(reader);
    chain.grantTickets(getTokenOwner);
    api.mount(reads.listContractsOperation, listContracts);
    api.mount(reads.getContractOperation, getContract);
    api.mount(reads.listTokensOperation, listTokens);
    api.mount(reads.getTokenOperation, getToken);
    api.mount(reads.getTokenOwnerOperation, getTokenOwner);
  }
}

type UpdateEntry =
  | 'nft/revoke-token'
  | 'nft/set-royalty'
  | 'nft/update-contract-metadata'
  | 'nft/update-metadata-batch'
  | 'nft/update-token-metadata';

/** Of a call that signs, logs and sends a transaction for an application. */
const signingEnvironment = ({ applications, tables, chain }: NftCallsProps) => ({
  ...applications.environment,
  ...tables.environment,
  ...chain.environment,
});

const grantSigning = ({ applications, chain }: NftCallsProps, ...calls: readonly MarqueeFunction[]): void => {
  applications.grantRead(...calls);
  for (const call of calls) chain.grantSign(call);
};
