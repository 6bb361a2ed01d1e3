import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';

/** What the NFT product stores. */
export class NftTables extends Construct {
  /** By application. */
  readonly contracts: MarqueeTable;
  /** By application and contract; each contract's counter of token ids is beside its tokens. */
  readonly nfts: MarqueeTable;
  /** The log of what was signed, by signer and nonce. */
  readonly transactions: MarqueeTable;
  /** One item for each signer, which no transaction touches. */
  readonly signers: MarqueeTable;
  /** Idempotency keys and daily counts, by application. */
  readonly requests: MarqueeTable;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    const keys = { stage, partitionKey: 'pk', sortKey: 'sk' };
    this.contracts = new MarqueeTable(this, 'Contracts', {
      ...keys,
      localIndexes: [{ name: 'newest', sortKey: 'listed' }],
      globalIndexes: [{ name: 'by_address', partitionKey: 'address' }],
    });
    this.nfts = new MarqueeTable(this, 'Nfts', {
      ...keys,
      // Written once a token: neither key ever changes.
      globalIndexes: [{ name: 'by_destination', partitionKey: 'destination', sortKey: 'sk', holds: 'keys' }],
    });
    this.transactions = new MarqueeTable(this, 'Transactions', {
      ...keys,
      // Decisions are published from it, and the old image shows what was undecided before.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      // Changes of a collection or its tokens, for the operator; only those entries are indexed.
      globalIndexes: [
        { name: 'by_collection', partitionKey: 'collection', sortKey: 'change', holds: 'keys' },
      ],
    });
    this.signers = new MarqueeTable(this, 'Signers', { stage, partitionKey: 'pk' });
    this.requests = new MarqueeTable(this, 'Requests', { ...keys, timeToLiveAttribute: 'expiresAt' });
  }

  get environment(): Record<string, string> {
    return {
      CONTRACTS_TABLE: this.contracts.tableName,
      NFTS_TABLE: this.nfts.tableName,
      TRANSACTIONS_TABLE: this.transactions.tableName,
      SIGNERS_TABLE: this.signers.tableName,
      REQUESTS_TABLE: this.requests.tableName,
    };
  }
}
