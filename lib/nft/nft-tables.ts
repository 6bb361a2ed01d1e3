import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';

/** What the NFT product stores. */
export class NftTables extends Construct {
  /** By application. */
  readonly contracts = new MarqueeTable(this, 'Contracts', {
    keys: ['pk', 'sk'],
    localIndex: { name: 'newest', sortKey: 'listed' },
    globalIndexes: [{ name: 'by_address', keys: ['address'] }],
  });
  /** By application and contract; each contract's counter of token ids is beside its tokens. */
  readonly nfts = new MarqueeTable(this, 'Nfts', {
    keys: ['pk', 'sk'],
    // Written once a token: neither key ever changes.
    globalIndexes: [{ name: 'by_destination', keys: ['destination', 'sk'], holds: 'keys' }],
  });
  /** The log of what was signed, by signer and nonce. */
  readonly transactions = new MarqueeTable(this, 'Transactions', {
    keys: ['pk', 'sk'],
    // Decisions are published from it, and the old image shows what was undecided before.
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    // Changes of a collection or its tokens, for the operator; only those entries are indexed.
    globalIndexes: [{ name: 'by_collection', keys: ['collection', 'change'], holds: 'keys' }],
  });
  /** One item for each signer, which no transaction touches. */
  readonly signers = new MarqueeTable(this, 'Signers', { keys: ['pk'] });
  /** Idempotency keys and daily counts, by application. */
  readonly requests = new MarqueeTable(this, 'Requests', { keys: ['pk', 'sk'], expiresAt: 'expiresAt' });

  get environment() {
    return {
      ...this.readEnvironment,
      TRANSACTIONS_TABLE: this.transactions.tableName,
      SIGNERS_TABLE: this.signers.tableName,
      REQUESTS_TABLE: this.requests.tableName,
    };
  }

  get readEnvironment() {
    return { CONTRACTS_TABLE: this.contracts.tableName, NFTS_TABLE: this.nfts.tableName };
  }

  /** Signs at the next nonce, logs it, and claims an idempotency key. */
  private grantSubmit(to: MarqueeFunction): void {
    this.transactions.grant(to, ['GetItem', 'PutItem']);
    this.signers.grant(to, ['GetItem', 'PutItem', 'UpdateItem']);
    this.requests.grant(to, ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem']);
  }

  grantDeploy(to: MarqueeFunction): void {
    this.grantSubmit(to);
    this.contracts.grant(to, ['GetItem', 'PutItem']);
  }

  grantMint(to: MarqueeFunction): void {
    this.grantSubmit(to);
    this.grantReadContract(to);
    this.nfts.grant(to, ['ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem']);
  }

  grantUpdateTokens(to: MarqueeFunction): void {
    this.grantSubmit(to);
    this.grantReadContract(to);
    this.nfts.grant(to, ['Query', 'UpdateItem']);
  }

  grantUpdateContract(to: MarqueeFunction): void {
    this.grantSubmit(to);
    this.contracts.grant(to, ['GetItem', 'UpdateItem']);
  }

  /** Sees a signer's transactions to their end. */
  grantDecide(to: MarqueeFunction): void {
    this.transactions.grant(to, ['GetItem', 'PutItem', 'Query', 'UpdateItem']);
    this.signers.grant(to, ['GetItem', 'UpdateItem']);
    for (const table of [this.contracts, this.nfts]) table.grant(to, ['ConditionCheckItem', 'UpdateItem']);
  }

  grantReadContract(to: MarqueeFunction): void {
    this.contracts.grant(to, ['GetItem']);
  }

  grantReadToken(to: MarqueeFunction): void {
    this.grantReadContract(to);
    this.nfts.grant(to, ['GetItem']);
  }

  grantListContracts(to: MarqueeFunction): void {
    this.contracts.grantQuery(to, 'newest');
  }

  grantListTokens(to: MarqueeFunction): void {
    this.grantReadContract(to);
    this.nfts.grant(to, ['BatchGetItem', 'Query']);
    this.nfts.grantQuery(to, 'by_destination');
  }

  /** Finds a contract whoever owns it. */
  grantFindContract(to: MarqueeFunction): void {
    this.contracts.grantQuery(to, 'by_address');
    this.grantReadContract(to);
  }
}
