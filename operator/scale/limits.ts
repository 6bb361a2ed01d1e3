import { reservedEnvironments } from '../../config/concurrency.ts';
import type { StageConfig } from '../../config/stage.ts';
import { renewalShare } from '../../shared/ott/stream-sessions.ts';
import {
  type Counted,
  type CountedUnits,
  entitlementMilliseconds,
  lambdaMilliseconds,
} from './counted-units.ts';

/** A load to carry: all numbers are for a second, except viewers, who play at the same time. */
export interface Load {
  readonly mints: number;
  readonly changes: number;
  readonly lists: number;
  readonly viewers: number;
  /** The number of applications that hear of each change and read it. */
  readonly applications: number;
}

/** The account's limits; `undefined` if unknown. */
export interface AccountLimits {
  readonly concurrency: number | undefined;
  readonly gatewayRequests: number | undefined;
  readonly signatures: number | undefined;
  readonly published: number | undefined;
}

/**
 * In us-east-1: "Lambda quotas"; "Amazon API Gateway quotas" (2,500 in some Regions); "Request quotas" of KMS for elliptic
 * curves; "Amazon Simple Notification Service endpoints and quotas".
 */
export const awsDefaults: AccountLimits = {
  concurrency: 1_000,
  gatewayRequests: 10_000,
  signatures: 1_000,
  published: 30_000,
};

export interface Share {
  readonly limit: string;
  /** The part of the limit that the load takes, where 1 is all of it; `undefined` when the limit is unknown. */
  readonly share: number | undefined;
  readonly takes: string;
  readonly of: string;
  /** What happens above it, and to whom. */
  readonly means: string;
  readonly moves: string;
}

/** Limits that neither the stage nor the account sets. */
interface FixedLimits {
  /** The write units a second that one partition key value carries in DynamoDB. */
  readonly partitionWrites: number;
  /** How long the entitlement service takes to answer. */
  readonly entitlementMilliseconds: number;
  /** How many blocks pass until a sent transaction is seen to be mined. */
  readonly blocksInFlight: number;
}

/**
 * "Best practices for designing and using partition keys effectively in DynamoDB". On Polygon a transaction may be too late
 * for the next block, and a node may hear of a block late.
 */
const awsFixed: FixedLimits = { partitionWrites: 1_000, entitlementMilliseconds, blocksInFlight: 2 };

/** "Quotas in Amazon DynamoDB": on-demand write units a second of a table, by default. */
const tableWrites = 40_000;
/** "Lambda scaling behavior": environments that one function may add in ten seconds. */
const environmentsInTenSeconds = 1_000;
/**
 * "Process DynamoDB records with Lambda": at most ten batches of a shard at once. "DynamoDB on-demand capacity mode": a new
 * table takes 4,000 writes a second, so it has four partitions, and one more for each further thousand.
 */
const publishersOfAShard = 10;
const leastShards = 4;
/**
 * The gas limit of a block that PIP-71 names before it asks for 60 million. Validators only raise it, so there is at
 * least this much.
 */
const blockGas = 45_000_000;
const readsAtOnce = 100;
/** Each pass of 50 seconds takes two: the pass itself and the choice behind it. */
const transitionsOfAWaiter = 2 / 50;
/** "Quotas" of Step Functions, `StateTransition`: the refill a second in us-east-1; it is 500 in other Regions. */
const stateTransitions = 1_500;

const secondsOf = (counted: Counted, name: string, waitMilliseconds = 0): number => {
  const one = Object.entries(counted.functions).find(([each]) => each.endsWith(name))?.[1];
  if (one === undefined) throw new Error(`${name} was not counted`);
  return (one.calls * lambdaMilliseconds(one, waitMilliseconds)) / 1_000;
};

/** Write units of the busiest partition for a sequence of calls. */
const partitionUnits = ({ partitions }: Counted, place: string): number => {
  const counted = partitions[place];
  if (counted === undefined) throw new Error(`${place} was not counted`);
  return counted;
};

const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });

/** The share of each limit that a load takes, worst first; unknown ones last. */
export const sharesOf = (
  load: Load,
  {
    stage,
    account,
    units,
    fixed: { partitionWrites, entitlementMilliseconds, blocksInFlight } = awsFixed,
  }: {
    readonly stage: StageConfig;
    readonly account: AccountLimits;
    readonly units: CountedUnits;
    /** @default AWS's */
    readonly fixed?: FixedLimits;
  },
): Share[] => {
  const { mints, changes, lists, viewers, applications } = load;
  const { throttle, concurrency, nft, ott } = stage;
  const streams = viewers / (renewalShare * ott.sessionSeconds);
  const reads = (changes * applications) / readsAtOnce;
  const environments = {
    mint: mints * secondsOf(units.mint, 'MintToken'),
    list: lists * secondsOf(units.listWithLogin, 'ListEvents', entitlementMilliseconds),
    stream: streams * secondsOf(units.stream, 'GetStream', entitlementMilliseconds),
    put: changes * secondsOf(units.change, 'PutUserData'),
    publish: changes * secondsOf(units.change, 'PublishChanges'),
    record: changes * secondsOf(units.change, 'RecordNotifications'),
    read: reads * secondsOf(units.batchRead, 'ReadUserDataBatch'),
  };
  const { put, read, ...reservable } = environments;
  const unreserved = [put, read, ...(concurrency === undefined ? Object.values(reservable) : [])];
  const all: Share[] = [];
  const add = (
    limit: string,
    [used, most, unit]: readonly [used: number, most: number | undefined, unit: string],
    means: string,
    moves: string,
  ): void => {
    all.push({
      limit,
      share: used === 0 ? 0 : most === undefined ? undefined : used / most,
      takes: `${number(used)} ${unit}`,
      of: most === undefined ? 'unknown' : number(most),
      means,
      moves,
    });
  };
  const throttleMoves = 'throttle.ratePerSecond and .burst in the stage’s file, up to the account’s';
  for (const [call, used] of [
    ['POST …/mint', mints],
    ['PUT /user/data', changes],
    ['GET …/events/', lists],
    ['GET …/stream', streams],
    ['POST /user-data/read/batch', reads],
  ] as const) {
    add(
      `throttle of ${call}`,
      [used, throttle.ratePerSecond, 'calls a second'],
      'all callers of this call get 429, and wait',
      throttleMoves,
    );
  }
  add(
    'API Gateway, the account',
    [mints + changes + lists + streams + reads, account.gatewayRequests, 'calls a second'],
    'calls of every API in the Region get 429',
    'the quota "Throttle rate" of API Gateway',
  );
  const reserved = (name: string, used: number, most: number | undefined, whom: string, field: string) =>
    add(
      `environments of ${name}`,
      [used, most ?? account.concurrency, 'at once'],
      whom,
      most === undefined
        ? 'the quota "Concurrent executions" of Lambda'
        : `concurrency.${field} in the stage’s file, and the quota "Concurrent executions" of Lambda`,
    );
  reserved('minting', environments.mint, concurrency?.signing, 'customers get 503 for mints', 'signing');
  reserved('lists', environments.list, concurrency?.lists, 'viewers get 503 for lists', 'lists');
  reserved('streams', environments.stream, concurrency?.ott, 'viewers cannot begin, or go on', 'ott');
  reserved(
    'the publisher',
    environments.publish,
    concurrency?.publisher,
    'customers hear later',
    'publisher',
  );
  reserved(
    'the recorder',
    environments.record,
    concurrency?.recorder,
    'lists of notifications lag',
    'recorder',
  );
  add(
    'Lambda, the unreserved rest',
    [
      unreserved.reduce((sum, each) => sum + each, 0),
      account.concurrency === undefined ? undefined : account.concurrency - reservedEnvironments(concurrency),
      'at once',
    ],
    'users’ changes, customers’ reads and public metadata get 503',
    'the quota "Concurrent executions" of Lambda',
  );
  add(
    'Lambda, environments that a function adds',
    [Math.max(...Object.values(environments)), environmentsInTenSeconds, 'in the first ten seconds'],
    'calls get 503 while a burst begins',
    'no quota moves it: let the load rise over half a minute',
  );
  add(
    'a signer’s partition of the log',
    [
      (mints / nft.signers) * partitionUnits(units.mint, 'NftTablesTransactions'),
      partitionWrites,
      'write units a second',
    ],
    'mints of this signer’s applications get 503, and others wait behind nonces without an entry',
    'nft.signers, up to 12, for applications that are created from then on; minting in batches',
  );
  add(
    'a collection’s partition, if all mints go into one',
    [mints * partitionUnits(units.mint, 'NftTablesNfts'), partitionWrites, 'write units a second'],
    'mints into this collection get 503',
    'several collections',
  );
  add(
    'an application’s day in the record',
    [
      changes * partitionUnits(units.change, 'UserDataRecordNotifications/by-application'),
      partitionWrites,
      'write units a second',
    ],
    'lists of notifications lag',
    'no setting: docs/scale.md has the design that comes next',
  );
  add(
    'the waiter, for one signer',
    [mints / nft.signers, nft.inFlightCap / (blocksInFlight * nft.blockSeconds), 'transactions a second'],
    'mints are accepted, and are mined later and later',
    'nft.signers; nft.inFlightCap, as far as the nodes take it; minting in batches',
  );
  add(
    'gas of the chain',
    [mints * units.gas.mint, blockGas / nft.blockSeconds, 'gas a second'],
    'everybody’s transactions wait, and prices rise',
    'minting in batches',
  );
  const busiest = Math.max(
    mints * Math.max(...Object.values(units.mint.writes)),
    changes * Math.max(...Object.values(units.change.writes)),
  );
  add(
    'the busiest table',
    [busiest, tableWrites, 'write units a second'],
    'its callers get 503',
    'the quota "Table-level write throughput limit" of DynamoDB; warm throughput before a first rush',
  );
  add(
    'KMS signatures',
    [mints * units.mint.signatures, account.signatures, 'a second'],
    'mints get 503',
    'the quota L-DC14942D of KMS; minting in batches',
  );
  add(
    'SNS, messages published',
    [changes * applications, account.published, 'a second'],
    'customers hear later, from the failure queue at the latest',
    'the quota L-F8E2BA85 of SNS',
  );
  add(
    'SNS, filter policies of the topic',
    [applications, stage.userData.filterPolicyQuota, 'endpoints, at least'],
    'no further endpoint can be subscribed',
    'the quota L-B96EDA7D of SNS, then userData.filterPolicyQuota',
  );
  add(
    'the users table’s stream',
    [
      environments.publish,
      publishersOfAShard * Math.max(leastShards, Math.ceil(changes / partitionWrites)),
      'publishers at once',
    ],
    'customers hear later',
    'none: a shard has ten publishers, and DynamoDB adds shards as writes grow',
  );
  add(
    'the record’s queue',
    [2 * changes * applications, undefined, 'messages a second'],
    'lists of notifications lag',
    'none: SQS names no limit for a standard queue',
  );
  add(
    'Step Functions, transitions',
    [mints === 0 ? 0 : nft.signers * transitionsOfAWaiter, stateTransitions, 'a second'],
    'transactions are sent later',
    'the quota "StateTransition" of Step Functions',
  );
  add(
    'the entitlement service',
    [lists + streams, ott.entitlement.requestsPerSecond, 'questions a second'],
    'viewers who are logged in wait, then get 503',
    'its provider; then ott.entitlement.requestsPerSecond',
  );
  add(
    'the RPC provider',
    [mints, undefined, 'transactions a second, and what the waiter asks'],
    'mints are accepted, and are sent later',
    'its provider; a second endpoint in the secret',
  );
  return all
    .filter(({ takes }) => !takes.startsWith('0 '))
    .sort((one, other) => (other.share ?? -1) - (one.share ?? -1));
};

/** A load above this share of a limit is refused. */
export const shareAtMost = 0.8;

export const percent = (share: number | undefined): string =>
  share === undefined ? 'unknown' : `${number(100 * share)} %`;

export const shareRow = ({ limit, share, takes, of, means, moves }: Share) => ({
  limit,
  share: percent(share),
  takes,
  of,
  means,
  moves,
});
