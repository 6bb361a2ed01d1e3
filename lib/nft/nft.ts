import { Construct } from 'constructs';
import {
  getContractMetadataOperation,
  getTokenMetadataOperation,
} from '../../shared/nft/http/read-operations.ts';
import type { Applications } from '../applications.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { ChainAccess } from './chain-access.ts';
import { NftAlarms } from './nft-alarms.ts';
import { NftCalls } from './nft-calls.ts';
import { NftTables } from './nft-tables.ts';
import { SignerWatch, Waiter } from './waiter.ts';

/** Contracts and tokens: the calls, the transaction log, and the waiter. */
export class Nft extends Construct {
  readonly tables = new NftTables(this, 'Tables');
  readonly chain = new ChainAccess(this, 'Chain');

  constructor(scope: Construct, id: string, { applications }: { readonly applications: Applications }) {
    super(scope, id);
    const { tables, chain } = this;
    new NftCalls(this, 'Calls', { applications, tables, chain });
    this.addPublicMetadata(new Construct(this, 'PublicMetadata'));
    const { machine, start } = new Waiter(this, 'Waiter', { tables, chain });
    new SignerWatch(this, 'SignerWatch', { tables, chain, start });
    new NftAlarms(this, 'Alarms', machine);
  }

  /** Serves what `contractURI` and `tokenURI` point to, to everybody. */
  private addPublicMetadata(scope: Construct): void {
    new MarqueeFunction(scope, 'nft/get-contract-metadata', {
      serves: [getContractMetadataOperation],
      description: "Gives a contract's metadata to everybody",
      may: this.tables.findContract,
    });
    new MarqueeFunction(scope, 'nft/get-token-metadata', {
      serves: [getTokenMetadataOperation],
      description: "Gives a token's metadata to everybody",
      may: [...this.tables.findContract, ...this.tables.readToken],
    });
  }
}
