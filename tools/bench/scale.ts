import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { local } from '../../config/local.ts';
import { parseStage } from '../../config/stage.ts';
import { countedUnits } from '../../operator/stage/scale/counted-units.ts';
import { awsDefaults, type Load, sharesOf } from '../../operator/stage/scale/limits.ts';
import { copyProject } from '../../test/support/platform/project-copy.ts';
import { type System, startSystem } from '../../test/support/platform/system.ts';
import { watchConfirmations } from './confirmations.ts';
import { httpCall } from './http-call.ts';
import { callAtRate } from './load.ts';
import type { Measurement } from './measurement.ts';
import { mintCalls } from './mint-calls.ts';

/**
 * The limits of AWS and of the prod stage, reduced so far that each is reached long before the processor is busy. The
 * local system enforces them, and `preflight` is given the same limits.
 */
const given = {
  throttle: { ratePerSecond: 20, burst: 40 },
  // The bench mints for one application, and an application has one signer.
  nft: { ...local.nft, signers: 1, inFlightCap: 8 },
};
/**
 * `blocksInFlight` is 1 because each block of the local chain contains all pending transactions and is reported
 * immediately.
 */
const fixed = { partitionWrites: 20, entitlementMilliseconds: 800, blocksInFlight: 1 };
const account = { ...awsDefaults, concurrency: 4 };

/**
 * The loads to try, as multiples of the load at which a limit is reached according to `preflight`. The first two must
 * be served, and the last must not.
 */
const loads = [0.5, 0.85, 1.2];
const deviationAtMost = 0.2;
/** A load counts as served only if at most this share of the calls is refused. */
const refusedAtMost = 0.02;
/** A load counts as served only if the completed calls fall short of the load by at most this share. */
const missingAtMost = 0.1;
/**
 * After this time, the capacity that was saved for bursts is used up, and tokens are confirmed as fast as new tokens
 * are requested.
 */
const warmUpSeconds = 10;
const measuredSeconds = 20;

interface Carried {
  /** Completed calls: per second after the warm-up, or in total for a burst. */
  readonly served: number;
  readonly refusedShare: number;
}

interface Limit {
  readonly name: string;
  /** The load at which `preflight` says that the limit is reached. */
  readonly said: number;
  readonly drive: (load: number) => Promise<Carried>;
}

const nothing: Load = { mints: 0, changes: 0, events: 0, lists: 0, viewers: 0, applications: 1 };

/** Computes, as `preflight` does, the load at which a limit is reached. */
const saidOf = (row: string, of: keyof Load): number => {
  const stage = parseStage('the bench', { ...local, ...given });
  const shares = sharesOf({ ...nothing, [of]: 1 }, { stage, account, units: countedUnits(), fixed });
  const share = shares.find(({ limit }) => limit === row)?.share;
  if (share === undefined) throw new Error(`The command preflight does not know ${row}`);
  return 1 / share;
};

const seconds = (): number => performance.now() / 1_000;

/**
 * The mean number of `moments` (times in seconds) per second of the measured period, which follows the warm-up of a
 * load that began at `from`.
 */
const ratePerSecond = (moments: readonly number[], from: number): number =>
  moments.filter((at) => at >= from + warmUpSeconds && at < from + warmUpSeconds + measuredSeconds).length /
  measuredSeconds;

const refusedShare = (load: ReturnType<typeof callAtRate>): number =>
  load.refused().length / (load.refused().length + load.answered());

/** Makes calls at a steady rate. A call counts as served when it is answered. */
const answers =
  (call: () => Promise<unknown>) =>
  async (perSecond: number): Promise<Carried> => {
    const served: number[] = [];
    const from = seconds();
    const load = callAtRate(perSecond, async () => {
      await call();
      served.push(seconds());
    });
    await delay((warmUpSeconds + measuredSeconds) * 1_000);
    await load.stop();
    return { served: ratePerSecond(served, from), refusedShare: refusedShare(load) };
  };

const setFaults = (system: System, json: unknown) =>
  httpCall(`${system.outputs.aws_endpoint_url}/_faults`, { method: 'PUT', json });

const contractSchema = z.object({ is_confirmed: z.boolean() });

const untilConfirmed = async ({ outputs }: System, contract: string): Promise<void> => {
  const headers = { 'x-api-key': outputs.applications[0]?.api_key ?? '' };
  const read = () => httpCall(`${outputs.base_url}/api/v1/nft/contracts/${contract}`, { headers });
  while (!contractSchema.parse(JSON.parse(await read())).is_confirmed) await delay(500);
};

/**
 * Mints at a steady rate. A mint counts as served when it is confirmed. While this runs, the partition limits apply
 * only to `limitedTable`.
 */
const mintsOf =
  (
    system: System,
    { collections, limitedTable }: { readonly collections: number; readonly limitedTable?: string },
  ) =>
  async (perSecond: number): Promise<Carried> => {
    const [application] = system.outputs.applications;
    const calls = mintCalls(system, { connections: 64, application });
    const confirmations = await watchConfirmations(system);
    try {
      const contracts = await Promise.all(Array.from({ length: collections }, () => calls.create()));
      // The partition limits are set only after the deployments are confirmed. Confirming a deployment writes its large
      // log entry, which would use up the partition's write units for seconds.
      await Promise.all(contracts.map((contract) => untilConfirmed(system, contract)));
      const accepted = new Map(contracts.map((contract) => [contract, 0]));
      if (limitedTable !== undefined) {
        const tables = [await system.stackOutput(limitedTable)];
        const { partitionWrites: writeUnits } = fixed;
        await setFaults(system, {
          database: { partitionLimits: { readUnits: 3 * writeUnits, writeUnits, tables } },
        });
      }
      const from = seconds();
      let isOver = false;
      const confirmed = contracts.map((contract) =>
        confirmations.until({
          contract,
          applicationId: application?.id ?? '',
          count: () => (isOver ? (accepted.get(contract) ?? 0) : Number.POSITIVE_INFINITY),
        }),
      );
      const load = callAtRate(perSecond, async (index) => {
        const contract = contracts[index % collections] ?? '';
        await calls.mint(contract);
        accepted.set(contract, (accepted.get(contract) ?? 0) + 1);
      });
      await delay((warmUpSeconds + measuredSeconds) * 1_000);
      await load.stop();
      isOver = true;
      const moments = (await Promise.all(confirmed)).flatMap((seen) => [...seen.values()]);
      return {
        served: ratePerSecond(
          moments.map((at) => at / 1_000),
          from,
        ),
        refusedShare: refusedShare(load),
      };
    } finally {
      await setFaults(system, { database: { partitionLimits: null } });
      confirmations.stop();
      await calls.stop();
    }
  };

/** Makes all calls at the same time. A call counts as served when it is answered. */
const burstOf =
  (call: () => Promise<unknown>) =>
  async (count: number): Promise<Carried> => {
    // Waits until the throttle's bucket is full.
    await delay((given.throttle.burst / given.throttle.ratePerSecond) * 1_000);
    const outcomes = await Promise.allSettled(Array.from({ length: Math.round(count) }, call));
    const served = outcomes.filter(({ status }) => status === 'fulfilled').length;
    return { served, refusedShare: 1 - served / outcomes.length };
  };

const startStage = async () => {
  await using cleanup = new AsyncDisposableStack();
  const project = copyProject({ file: 'config/local.ts', from: 'export const local', to: 'const shipped' });
  cleanup.defer(() => project.remove());
  const stage = `\nexport const local: StageInput = { ...shipped, ...${JSON.stringify(given)} };\n`;
  appendFileSync(join(project.root, 'config/local.ts'), stage);
  const system = await startSystem({ arguments: ['--empty'], project: project.root });
  cleanup.defer(() => system.dispose());
  const resources = cleanup.move();
  return { system, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};

const number = (value: number): string => value.toFixed(1);
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const row = ([name = '', ...rest]: readonly string[]): string =>
  [name.padEnd(42), ...rest.map((each) => each.padStart(20))].join(' ');

/**
 * Drives the running service to its limits, and compares them with the loads that `preflight` computes. A computed load
 * is right if the service serves 0.85 times this load, but not 1.2 times this load. The largest number of completed
 * calls must also be within 20 % of the computed load. `refusedAtMost` and `missingAtMost` define when a load counts as
 * served.
 */
export const measureScale = async (): Promise<Measurement[]> => {
  await using started = await startStage();
  const { system } = started;
  const lists = `${system.outputs.base_url}/api/v3/ott/events/`;
  const client_id = system.outputs.applications[0]?.client_id ?? '';
  const authorization = `Bearer ${await system.token({ sub: 'scale', client_id })}`;
  const list = () => httpCall(lists);
  const listWithLogin = () => httpCall(lists, { headers: { authorization } });
  const entitlement = (mode: string) =>
    httpCall(`${system.outputs.entitlement_url}/behaviour`, { method: 'PUT', json: { mode } });

  const limits: readonly Limit[] = [
    { name: 'API Gateway’s throttle, for a burst', said: given.throttle.burst, drive: burstOf(list) },
    {
      name: 'API Gateway’s throttle of a method',
      said: saidOf('throttle of GET …/events/', 'lists'),
      drive: answers(list),
    },
    {
      name: 'the account’s pool of Lambda',
      said: saidOf('Lambda’s unreserved concurrency', 'lists'),
      drive: async (perSecond) => {
        await entitlement(`after ${fixed.entitlementMilliseconds} ms`);
        await setFaults(system, { lambda: { accountConcurrency: account.concurrency } });
        try {
          return await answers(listWithLogin)(perSecond);
        } finally {
          await setFaults(system, { lambda: { accountConcurrency: awsDefaults.concurrency } });
          await entitlement('ok');
        }
      },
    },
    {
      name: 'a partition, by mints into one collection',
      said: saidOf('a collection’s partition, if all mints are into one collection', 'mints'),
      drive: mintsOf(system, { collections: 1, limitedTable: 'NftsTable' }),
    },
    {
      name: 'a partition, by mints of one signer',
      said: saidOf('a signer’s partition of the transaction log', 'mints'),
      drive: mintsOf(system, { collections: 5, limitedTable: 'TransactionsTable' }),
    },
    {
      name: 'the waiter of one signer',
      said: saidOf('the waiter of one signer', 'mints'),
      drive: mintsOf(system, { collections: 1 }),
    },
  ];

  const measured: Measurement[] = [];
  const head = [
    'limit',
    'preflight says',
    'gave way at',
    'deviation',
    ...loads.map((each) => `of ${each} ×`),
  ];
  console.log(row(head));
  await Promise.all(Array.from({ length: 8 }, list));
  for (const { name, said, drive } of limits) {
    const cells: string[] = [];
    const gaveWay: boolean[] = [];
    let most = 0;
    for (const factor of loads) {
      const asked = factor * said;
      const { served, refusedShare } = await drive(asked);
      cells.push(`${number(served)}, ${percent(refusedShare)} refused`);
      gaveWay.push(refusedShare > refusedAtMost || served < asked * (1 - missingAtMost));
      most = Math.max(most, served);
    }
    const deviation = most / said - 1;
    console.log(row([name, number(said), number(most), percent(deviation), ...cells]));
    const isWhereSaid = gaveWay.every((gives, index) => gives === (loads[index] ?? 0) > 1);
    measured.push({
      name: `${name}, compared with preflight (±20)`,
      value: 100 * deviation,
      unit: '%',
      holds: isWhereSaid && Math.abs(deviation) <= deviationAtMost,
    });
  }
  return measured;
};
