import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
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

  readonly readEnvironment = {
    CONTRACTS_TABLE: this.contracts.tableName,
    NFTS_TABLE: this.nfts.tableName,
  };
  readonly environment = {
    ...this.readEnvironment,
    TRANSACTIONS_TABLE: this.transactions.tableName,
    SIGNERS_TABLE: this.signers.tableName,
    REQUESTS_TABLE: this.requests.tableName,
  };

  readonly readContract = this.contracts.may('GetItem');
  readonly readToken = [this.readContract, this.nfts.may('GetItem')];
  readonly listContracts = this.contracts.mayQuery('newest');
  readonly listTokens = [
    this.readContract,
    this.nfts.may('BatchGetItem', 'Query'),
    this.nfts.mayQuery('by_destination'),
  ];
  /** Finds a contract whoever owns it. */
  readonly findContract = [this.contracts.mayQuery('by_address'), this.readContract];
  /** Signs at the next nonce, logs it, and claims an idempotency key. */
  private readonly submit = [
    this.transactions.may('GetItem', 'PutItem'),
    this.signers.may('GetItem', 'PutItem', 'UpdateItem'),
    this.requests.may('DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
  ];
  readonly deploy = [...this.submit, this.contracts.may('GetItem', 'PutItem')];
  readonly mint = [
    ...this.submit,
    this.readContract,
    this.nfts.may('ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  ];
  readonly updateTokens = [...this.submit, this.readContract, this.nfts.may('Query', 'UpdateItem')];
  readonly updateContract = [...this.submit, this.contracts.may('GetItem', 'UpdateItem')];
  /** Sees a signer's transactions to their end. */
  readonly decide = [
    this.transactions.may('GetItem', 'PutItem', 'Query', 'UpdateItem'),
    this.signers.may('GetItem', 'UpdateItem'),
    this.contracts.may('ConditionCheckItem', 'UpdateItem'),
    this.nfts.may('ConditionCheckItem', 'UpdateItem'),
  ];
}
