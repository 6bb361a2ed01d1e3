import { eventMessagesPerSecond, reservedEnvironments } from '../../../config/concurrency.ts';
import type { StageConfig } from '../../../config/stage.ts';
import { eventsOneByOne } from '../../../shared/notifications/publish/publish-events.ts';
import { renewalShare } from '../../../shared/ott/streams/renewal.ts';
import {
  type Counted,
  type CountedUnits,
  entitlementMilliseconds,
  lambdaMilliseconds,
} from './counted-units.ts';

/**
 * A load on a stage. `mints`, `changes`, `events` and `lists` are per second. `viewers` is how many play at the same
 * time.
 */
export interface Load {
  readonly mints: number;
  /** Changes of user data. */
  readonly changes: number;
  /** Changes of events, by editors and imports. */
  readonly events: number;
  readonly lists: number;
  readonly viewers: number;
  /** How many applications are notified of each change. They read the changed data of users. */
  readonly applications: number;
}

/** The account's quotas. `undefined` if unknown. */
export interface AccountLimits {
  readonly concurrency: number | undefined;
  readonly gatewayRequests: number | undefined;
  readonly signatures: number | undefined;
  readonly published: number | undefined;
}

/**
 * The defaults in us-east-1, from "Lambda quotas", "Amazon API Gateway quotas" (2,500 in some Regions), "Request
 * quotas" of KMS for elliptic curves, and "Amazon Simple Notification Service endpoints and quotas".
 */
export const awsDefaults: AccountLimits = {
  concurrency: 1_000,
  gatewayRequests: 10_000,
  signatures: 1_000,
  published: 30_000,
};

export interface Share {
  readonly limit: string;
  /** The part of the limit that the load uses. 1 is the whole limit. `undefined` if the limit is unknown. */
  readonly share: number | undefined;
  readonly takes: string;
  readonly of: string;
  /** What happens when the load exceeds the limit, and who is affected. */
  readonly means: string;
  readonly moves: string;
}

/** Limits that neither the stage nor the account sets. */
interface FixedLimits {
  /** How many write units per second DynamoDB allows for one partition key value. */
  readonly partitionWrites: number;
  /** How long the entitlement service takes to answer. */
  readonly entitlementMilliseconds: number;
  /** How many blocks pass until a sent transaction is seen to be mined. */
  readonly blocksInFlight: number;
}

/**
 * `partitionWrites` is from "Best practices for designing and using partition keys effectively in DynamoDB".
 * `blocksInFlight` is 2 because on Polygon a transaction may be too late for the next block, and a node may learn of a
 * block late.
 */
const awsFixed: FixedLimits = { partitionWrites: 1_000, entitlementMilliseconds, blocksInFlight: 2 };

/** The default quota of a table's on-demand write units a second ("Quotas in Amazon DynamoDB"). */
const tableWrites = 40_000;
/** How many environments one function may add in ten seconds ("Lambda scaling behavior"). */
const environmentsInTenSeconds = 1_000;
/** Lambda processes at most ten batches of a shard concurrently ("Process DynamoDB records with Lambda"). */
const publishersOfAShard = 10;
/**
 * The stream of a table has a shard for each partition. A new table accepts 4,000 writes a second ("DynamoDB on-demand
 * capacity mode"), so it has four partitions. It gets one more partition for each further 1,000 writes a second.
 */
const leastShards = 4;
/**
 * The gas limit of a Polygon block before PIP-71, which proposes 60 million. Validators only raise the limit, so a
 * block has at least this much gas.
 */
const blockGas = 45_000_000;
const readsAtOnce = 100;
/** The state transitions that one waiter makes per second: two every 50 seconds, for a pass and the choice after it. */
const transitionsOfAWaiter = 2 / 50;
/** The refill rate per second of Step Functions' quota `StateTransition` in us-east-1. It is 500 in other Regions. */
const stateTransitions = 1_500;

const secondsOf = (counted: Counted, name: string, waitMilliseconds = 0): number => {
  const one = Object.entries(counted.functions).find(([each]) => each.endsWith(name))?.[1];
  if (one === undefined) throw new Error(`${name} was not counted`);
  return (one.calls * lambdaMilliseconds(one, waitMilliseconds)) / 1_000;
};

/** Write units that one call uses in the busiest partition of a table or index. */
const partitionUnits = ({ partitions }: Counted, place: string): number => {
  const counted = partitions[place];
  if (counted === undefined) throw new Error(`${place} was not counted`);
  return counted;
};

const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });

/** The share of each limit that a load uses, highest first. Limits that are unknown come last. */
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
    /** @default the limits of AWS and Polygon */
    readonly fixed?: FixedLimits;
  },
): Share[] => {
  const { mints, changes, events, lists, viewers, applications } = load;
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
    forward: changes * secondsOf(units.change, 'ForwardDeliveries'),
    read: reads * secondsOf(units.batchRead, 'ReadUserData'),
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
  const throttleMoves =
    'throttle.ratePerSecond and throttle.burst in the stage’s file, up to the account’s limits';
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
      'all callers of this call get 429 and must retry',
      throttleMoves,
    );
  }
  add(
    'API Gateway, all calls of the account',
    [mints + changes + lists + streams + reads, account.gatewayRequests, 'calls a second'],
    'calls to every API in the Region get 429',
    'the quota "Throttle rate" of API Gateway',
  );
  const reserved = (name: string, used: number, most: number | undefined, whom: string, field: string) =>
    add(
      `Lambda environments for ${name}`,
      [used, most ?? account.concurrency, 'at the same time'],
      whom,
      most === undefined
        ? 'the quota "Concurrent executions" of Lambda'
        : `concurrency.${field} in the stage’s file, and the quota "Concurrent executions" of Lambda`,
    );
  reserved('minting', environments.mint, concurrency?.signing, 'customers get 503 for mints', 'signing');
  reserved('lists of events', environments.list, concurrency?.lists, 'viewers get 503 for lists', 'lists');
  reserved(
    'streams',
    environments.stream,
    concurrency?.ott,
    'viewers cannot begin or continue a stream',
    'ott',
  );
  reserved(
    'the publisher',
    environments.publish,
    concurrency?.publisher,
    'customers are notified later',
    'publisher',
  );
  reserved(
    'the recorder',
    environments.record,
    concurrency?.recorder,
    'notifications appear late in customers’ lists',
    'recorder',
  );
  reserved(
    'the forwarder of SNS’s delivery log',
    environments.forward,
    concurrency?.forwarder,
    'deliveries appear late in customers’ lists',
    'forwarder',
  );
  // If more events have changed within a second, each application gets one message about all of them.
  add(
    'the publisher of events',
    [
      Math.min(events, eventsOneByOne) * applications,
      eventMessagesPerSecond * Math.min(concurrency?.eventPublisher ?? leastShards, leastShards),
      'messages a second',
    ],
    'customers are notified of changes of events later',
    'concurrency.eventPublisher in the stage’s file, up to one for each shard of the events table’s stream',
  );
  add(
    'Lambda’s unreserved concurrency',
    [
      unreserved.reduce((sum, each) => sum + each, 0),
      account.concurrency === undefined ? undefined : account.concurrency - reservedEnvironments(concurrency),
      'at the same time',
    ],
    'changes by users, reads by customers and requests for public metadata get 503',
    'the quota "Concurrent executions" of Lambda',
  );
  add(
    'Lambda, new environments of one function',
    [Math.max(...Object.values(environments)), environmentsInTenSeconds, 'in the first ten seconds'],
    'calls get 503 at the beginning of a burst',
    'no setting raises it: increase the load gradually, over half a minute',
  );
  add(
    'a signer’s partition of the transaction log',
    [
      (mints / nft.signers) * partitionUnits(units.mint, 'NftTablesTransactions'),
      partitionWrites,
      'write units a second',
    ],
    'mints of this signer’s applications get 503, and its other transactions wait behind nonce gaps',
    'nft.signers (up to 12), for applications that are created afterwards; minting in batches',
  );
  add(
    'a collection’s partition, if all mints are into one collection',
    [mints * partitionUnits(units.mint, 'NftTablesNfts'), partitionWrites, 'write units a second'],
    'mints into this collection get 503',
    'minting into several collections',
  );
  add(
    'the partition for one day of an application’s notifications',
    [
      changes * partitionUnits(units.change, 'UserDataRecordNotifications/by-application'),
      partitionWrites,
      'write units a second',
    ],
    'notifications appear late in customers’ lists',
    'no setting raises it: docs/scale.md describes a design with a higher limit',
  );
  add(
    'the waiter of one signer',
    [mints / nft.signers, nft.inFlightCap / (blocksInFlight * nft.blockSeconds), 'transactions a second'],
    'mints are accepted, but it takes longer and longer until they are mined',
    'nft.signers; nft.inFlightCap, up to the number that the nodes accept; minting in batches',
  );
  add(
    'gas in the blocks of the chain',
    [mints * units.gas.mint, blockGas / nft.blockSeconds, 'gas a second'],
    'transactions of all users of the chain wait, and gas prices rise',
    'minting in batches',
  );
  const busiest = Math.max(
    mints * Math.max(...Object.values(units.mint.writes)),
    changes * Math.max(...Object.values(units.change.writes)),
  );
  add(
    'writes to the busiest table',
    [busiest, tableWrites, 'write units a second'],
    'calls that write to this table get 503',
    'the quota "Table-level write throughput limit" of DynamoDB; the table’s warm throughput, set before a peak',
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
    'customers are notified later, at the latest when failed changes are redriven',
    'the quota L-F8E2BA85 of SNS',
  );
  add(
    'SNS, filter policies of the topic',
    [applications, stage.userData.filterPolicyQuota, 'endpoints, at least'],
    'no further endpoint can be subscribed',
    'the quota L-B96EDA7D of SNS; then set userData.filterPolicyQuota to the new quota',
  );
  add(
    'the users table’s stream',
    [
      environments.publish,
      publishersOfAShard * Math.max(leastShards, Math.ceil(changes / partitionWrites)),
      'concurrent publishers',
    ],
    'customers are notified later',
    'no setting raises it: each shard has ten publishers, and DynamoDB adds shards as writes grow',
  );
  add(
    'the queue of notifications to record',
    [2 * changes * applications, undefined, 'messages a second'],
    'notifications appear late in customers’ lists',
    'no setting raises it: SQS states no limit for a standard queue',
  );
  add(
    'Step Functions, state transitions',
    [mints === 0 ? 0 : nft.signers * transitionsOfAWaiter, stateTransitions, 'a second'],
    'transactions are sent later',
    'the quota "StateTransition" of Step Functions',
  );
  add(
    'the entitlement service',
    [lists + streams, ott.entitlement.requestsPerSecond, 'requests a second'],
    'logged-in viewers wait, then get 503',
    'ask the provider for more, then set ott.entitlement.requestsPerSecond',
  );
  add(
    'the RPC provider',
    [mints, undefined, 'transactions a second, plus requests by the waiter'],
    'mints are accepted, but are sent later',
    'ask the provider, or add an RPC endpoint to the secret',
  );
  return all
    .filter(({ takes }) => !takes.startsWith('0 '))
    .sort((one, other) => (other.share ?? -1) - (one.share ?? -1));
};

/** `preflight` fails if a load uses more than this share of a limit. */
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
