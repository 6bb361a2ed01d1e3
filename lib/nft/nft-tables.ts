import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { MarqueeTable } from '../platform/constructs/marquee-table.ts';

export class NftTables extends Construct {
  /** Contracts, by application. */
  readonly contracts = new MarqueeTable(this, 'Contracts', 'CONTRACTS_TABLE', {
    keys: ['pk', 'sk'],
    localIndex: { name: 'newest', sortKey: 'listed' },
    globalIndexes: [{ name: 'by_address', keys: ['address'] }],
  });
  /** The tokens, by application and contract. The table also contains the counter of each contract's token ids. */
  readonly nfts = new MarqueeTable(this, 'Nfts', 'NFTS_TABLE', {
    keys: ['pk', 'sk'],
    globalIndexes: [
      // A token that is minted without a reservation is written to this index only once, because neither attribute changes.
      { name: 'by_destination', keys: ['destination', 'sk'], keysOnly: true },
      // Contains only reserved tokens, and those whose claim is pending.
      { name: 'by_holder', keys: ['holder', 'sk'], keysOnly: true },
    ],
  });
  /** The transaction log: its entries, by signer and nonce. */
  readonly transactions = new MarqueeTable(this, 'Transactions', 'TRANSACTIONS_TABLE', {
    keys: ['pk', 'sk'],
    // From this stream, the publisher of notifications learns that transactions were confirmed or have failed. It
    // ignores later changes of an entry, in whose old image the entry is no longer pending.
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    // Contains only log entries that change a collection or its tokens. The command `operator find` reads them.
    globalIndexes: [{ name: 'by_collection', keys: ['collection', 'change'], keysOnly: true }],
  });
  /**
   * What happened to tokens without a transaction on the chain: who gave them to whom, and when they were void. Lines
   * are only added. None is deleted, and none is changed but for a removed user, whom it names no more.
   */
  readonly history = new MarqueeTable(this, 'TokenHistory', 'TOKEN_HISTORY_TABLE', {
    keys: ['pk', 'sk'],
    // Contains only lines about tokens that were given. Finds those that a user has given away.
    globalIndexes: [{ name: 'by_giver', keys: ['giver', 'sk'], keysOnly: true }],
  });
  /** One item for each signer. DynamoDB transactions never include these items. */
  readonly signers = new MarqueeTable(this, 'Signers', 'SIGNERS_TABLE', { keys: ['pk'] });
  /** Idempotency keys and daily counts of requests, by application. */
  readonly requests = new MarqueeTable(this, 'Requests', 'REQUESTS_TABLE', {
    keys: ['pk', 'sk'],
    timeToLiveAttribute: 'expiresAt',
  });

  /** Allows telling what happened to a token, in the transaction that makes it. */
  readonly tell = this.history.may('PutItem');
  readonly readContract = this.contracts.may('GetItem');
  readonly readToken = [this.readContract, this.nfts.may('GetItem')] as const;
  readonly listContracts = this.contracts.mayQuery('newest');
  readonly listTokens = [
    this.readContract,
    this.nfts.may('BatchGetItem', 'Query'),
    this.nfts.mayQuery('by_destination'),
  ] as const;
  /** Allows reading the histories of tokens. */
  readonly readHistory = [
    this.readContract,
    this.nfts.may('GetItem'),
    this.history.may('Query'),
    this.transactions.may('GetItem'),
    this.transactions.mayQuery('by_collection'),
  ] as const;
  /** Allows finding the reserved tokens of a holder (see `reservationHolder`). */
  readonly findHeld = [this.nfts.mayQuery('by_holder'), this.nfts.may('BatchGetItem')] as const;
  /** Allows finding the application that deployed a contract. */
  readonly findApplication = this.contracts.mayQuery('by_address');
  /** Allows finding a contract without knowing which application it belongs to. */
  readonly findContract = [this.findApplication, this.readContract] as const;
  /** Allows reserving a nonce, recording a transaction with this nonce, and holding an idempotency key. */
  private readonly submit = [
    this.transactions.may('GetItem', 'PutItem', 'Query'),
    this.signers.may('GetItem', 'PutItem', 'UpdateItem'),
    this.requests.may('GetItem', 'UpdateItem'),
    // Daily counts must not be deleted or replaced.
    this.requests.mayOn(['KEY#*'], 'DeleteItem', 'PutItem'),
  ] as const;
  readonly deploy = [...this.submit, this.contracts.may('GetItem', 'PutItem')] as const;
  readonly mint = [
    ...this.submit,
    this.readContract,
    this.nfts.may('ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  ] as const;
  /** Allows minting a reserved token, but not making one: only the note of the claim is a new item. */
  readonly claim = [
    ...this.submit,
    this.readContract,
    this.nfts.may('ConditionCheckItem', 'GetItem', 'Query', 'UpdateItem'),
    this.nfts.mayOn(['*#claims#*'], 'PutItem'),
  ] as const;
  readonly updateTokens = [
    ...this.submit,
    this.tell,
    this.readContract,
    this.nfts.may('GetItem', 'Query', 'UpdateItem'),
  ] as const;
  /** Allows removing a user from the tokens that the user has claimed, and from their history. */
  readonly forgetClaims = [
    this.nfts.mayOn(['*#claims#*'], 'DeleteItem', 'Query'),
    this.nfts.may('UpdateItem'),
    this.history.may('Query', 'UpdateItem'),
  ] as const;
  /** Allows listing the tokens of a user. */
  readonly listUserTokens = [
    this.nfts.may('BatchGetItem', 'Query'),
    this.nfts.mayQuery('by_destination'),
  ] as const;
  readonly updateContract = [...this.submit, this.contracts.may('GetItem', 'UpdateItem')] as const;
  /** Allows everything that a waiter does with the transactions of its signer. */
  readonly decide = [
    this.transactions.may('GetItem', 'PutItem', 'Query', 'UpdateItem'),
    this.signers.may('GetItem', 'UpdateItem'),
    this.contracts.may('ConditionCheckItem', 'UpdateItem'),
    this.nfts.may('ConditionCheckItem', 'Query', 'UpdateItem'),
  ] as const;
}
