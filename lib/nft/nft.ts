import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import type { Applications } from '../applications.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import { ChainAccess } from './chain-access.ts';
import { NftAlarms } from './nft-alarms.ts';
import { NftCalls } from './nft-calls.ts';
import { NftTables } from './nft-tables.ts';
import { PublicMetadata } from './public-metadata.ts';
import { SignerWatch } from './signer-watch.ts';
import { Waiter } from './waiter.ts';

export interface NftProps {
  readonly stage: StageConfig;
  readonly api: ServiceApi;
  readonly applications: Applications;
}

/** Contracts and tokens: the calls, the log of transactions, and the waiter that sees each of them to its end. */
export class Nft extends Construct {
  readonly tables: NftTables;
  readonly chain: ChainAccess;
  readonly waiter: Waiter;

  constructor(scope: Construct, id: string, { stage, api, applications }: NftProps) {
    super(scope, id);
    this.tables = new NftTables(this, 'Tables', { stage });
    this.chain = new ChainAccess(this, 'Chain', { stage });
    const { tables, chain } = this;
    new NftCalls(this, 'Calls', { stage, api, applications, tables, chain });
    new PublicMetadata(this, 'PublicMetadata', { stage, api, tables });
    this.waiter = new Waiter(this, 'Waiter', { stage, tables, chain });
    new SignerWatch(this, 'SignerWatch', { stage, tables, chain, machineArn: this.waiter.machineArn });
    new NftAlarms(this, 'Alarms', { stage, waiter: this.waiter.machine });
  }
}
