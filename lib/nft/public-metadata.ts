import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import {
  getContractMetadataOperation,
  getTokenMetadataOperation,
} from '../../shared/nft/http/read-operations.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import type { NftTables } from './nft-tables.ts';

export interface PublicMetadataProps {
  readonly stage: StageConfig;
  readonly api: ServiceApi;
  readonly tables: NftTables;
}

/** What `contractURI` and `tokenURI` point to: open to everybody. */
export class PublicMetadata extends Construct {
  constructor(scope: Construct, id: string, { stage, api, tables }: PublicMetadataProps) {
    super(scope, id);
    const { CONTRACTS_TABLE, NFTS_TABLE } = tables.readEnvironment;
    const ofContract = new MarqueeFunction(this, 'GetContractMetadata', {
      stage,
      entry: 'nft/get-contract-metadata',
      description: "Gives a contract's metadata to everybody",
      environment: { CONTRACTS_TABLE },
    });
    const ofToken = new MarqueeFunction(this, 'GetTokenMetadata', {
      stage,
      entry: 'nft/get-token-metadata',
      description: "Gives a token's metadata to everybody",
      environment: { CONTRACTS_TABLE, NFTS_TABLE },
    });
    for (const reader of [ofContract, ofToken]) tables.grantFindContract(reader);
    tables.grantReadToken(ofToken);
    api.mount(getContractMetadataOperation, ofContract);
    api.mount(getTokenMetadataOperation, ofToken);
  }
}
