/** `npm run simulate`: searches worlds for one in which something does not hold, or shows one of them. */
import './silent-logger.ts';
import './short-bytecode.ts';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { faultKinds, type Part, parts } from './faults.ts';
import type { RunWorld, WorldResult } from './frame.ts';
import { plantedFaults, worldsOf, worldsWith, worldsWithout } from './planted.ts';
import { shorten } from './shorten.ts';

const usage = `npm run simulate -- --worlds 10000        runs the worlds 1 to 10000
npm run simulate -- --minutes 30          runs worlds for half an hour
npm run simulate -- --from 5001 …         begins with the world 5001
npm run simulate -- --seed 7              shows what happens in world 7; of a world that fails, the shortest form
npm run simulate -- --seed 7 --reads      shows also what only reads, of a world in which everything holds
npm run simulate -- --planted             plants faults in the service's code, and says which world finds each of them
npm run simulate -- --planted --kept      tries only the world that is kept for each of them
npm run simulate -- … --part NAME         only worlds of this part of the service: ${parts.join(', ')}
                                          Can be given several times. The numbers of a search take the parts in turn
npm run simulate -- … --fault TEXT        plants only the faults with this text in their names; with --seed, shows the
                                          world with this fault`;

const { values } = parseArgs({
  options: {
    worlds: { type: 'string' },
    minutes: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    part: { type: 'string', multiple: true },
    planted: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
    reads: { type: 'boolean', default: false },
    fault: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const asked = values.part ?? parts;
const chosenParts = parts.filter((part) => asked.includes(part));
if (chosenParts.length < asked.length) throw new Error(`A --part is none of ${parts.join(', ')}`);

const chosenFaults = plantedFaults.filter(
  ({ name, part }) => name.includes(values.fault) && chosenParts.includes(part),
);

// In a search, nobody reads the stack traces of the errors that the service expects.
if (values.seed === undefined) Error.stackTraceLimit = 0;

const secondsOfProcessor = (): number => process.cpuUsage().user / 1e6;

const kindOf = (fault: string): string => fault.slice(0, fault.indexOf(' @ '));

interface Failed extends WorldResult {
  readonly part: Part;
}

const progressMilliseconds = 10_000;

/** Its history is long in each part. */
const repeatedSeed = 1446;

/** A failure can only be explained if its number always gives the same history. */
const isRepeatable = async (run: RunWorld): Promise<boolean> => {
  const once = await run({ seed: repeatedSeed, keeps: 'everything' });
  const again = await run({ seed: repeatedSeed, keeps: 'everything' });
  return once.history.length > 100 && isDeepStrictEqual(again, once);
};

/**
 * Runs worlds until `isOver` or until it is interrupted, and prints how often each kind of fault struck. Meanwhile, it
 * shows its progress on stderr. With the first world of each part, one world runs twice, to see whether it has the same history.
 */
const search = async (from: number, isOver: (numbers: number) => boolean): Promise<readonly Failed[]> => {
  const worlds = await Promise.all(
    chosenParts.map(async (part) => ({
      part,
      runWorld: await worldsOf(part),
      struck: new Map<string, number>(Object.keys(faultKinds[part]).map((kind) => [kind, 0])),
      count: 0,
      seconds: 0,
    })),
  );
  const failed: Failed[] = [];
  let numbers = 0;
  let isInterrupted = false;
  process.once('SIGINT', () => {
    isInterrupted = true;
  });
  const rateOf = ({ count, seconds }: { readonly count: number; readonly seconds: number }): string =>
    count === 0 ? '0' : (count / seconds).toFixed(0);
  let toldAt = Date.now();
  for (; !isInterrupted && !isOver(numbers); numbers += 1) {
    if (Date.now() - toldAt >= progressMilliseconds) {
      toldAt = Date.now();
      const rates = worlds.map((world) => `${rateOf(world)} of ${world.part}`);
      console.error(`${numbers} worlds, a second ${rates.join(', ')}; ${failed.length} failed`);
    }
    const seed = from + numbers;
    for (const world of worlds.filter((_, index) => index === seed % worlds.length)) {
      const { part, struck } = world;
      const startedAt = secondsOfProcessor();
      const result = await world.runWorld({ seed });
      world.count += 1;
      world.seconds += secondsOfProcessor() - startedAt;
      for (const fault of result.struck) struck.set(kindOf(fault), (struck.get(kindOf(fault)) ?? 0) + 1);
      const violations =
        world.count > 1 || (await isRepeatable(world.runWorld))
          ? result.violations
          : [...result.violations, `World ${repeatedSeed} has no history, or another one each time`];
      if (violations.length === 0) continue;
      failed.push({ ...result, violations, part });
      console.log(`World ${result.seed} of ${part}: ${violations.join('; ')}`);
    }
  }
  for (const world of worlds) {
    const { part, struck, count } = world;
    for (const [kind, times] of struck) console.log(`${String(times).padStart(10)}  ${kind}`);
    const ofPart = failed.filter((one) => one.part === part).length;
    console.log(`${count} worlds of ${part} from ${from}, ${rateOf(world)} a second; ${ofPart} failed.`);
  }
  return failed;
};

const show = async (seed: number): Promise<void> => {
  const [planted] = values.fault === '' ? [] : chosenFaults;
  const [part = 'money'] = chosenParts;
  const run: RunWorld = planted === undefined ? await worldsOf(part) : await worldsWith(planted);
  const found = await run({ seed, keeps: values.reads ? 'everything' : 'changes' });
  const { result, without } =
    found.violations.length === 0 ? { result: found, without: new Set() } : await shorten(run, found);
  console.log(result.history.join('\n'));
  for (const fault of result.struck) console.log(`A fault that struck: ${fault}`);
  if (without.size > 0) console.log(`${without.size} requests, faults, or kinds of faults were left out.`);
  console.log(result.violations.join('\n') || 'Everything holds.');
  process.exitCode = result.violations.length === 0 ? 0 : 1;
};

const findPlanted = async (worldsAtMost: number): Promise<void> => {
  for (const fault of chosenFaults) {
    const run = await worldsWith(fault);
    const unplanted = await worldsWithout(fault);
    const from = values.kept ? fault.seed : Number(values.from);
    let found: WorldResult | undefined;
    for (let seed = from; found === undefined && seed < from + worldsAtMost; seed += 1) {
      const result = await run({ seed });
      // A world that fails anyway does not show the planted fault.
      const isFound = result.violations.length > 0 && (await unplanted({ seed })).violations.length === 0;
      if (isFound) found = result;
    }
    if (found === undefined) process.exitCode = 1;
    console.log(
      found === undefined
        ? `${fault.name}: not found in ${worldsAtMost} worlds`
        : `${fault.name}: found by world ${found.seed}: ${found.violations[0]}`,
    );
  }
};

if (values.help) console.log(usage);
else if (values.seed !== undefined) await show(Number(values.seed));
else if (values.planted) await findPlanted(values.kept ? 1 : Number(values.worlds ?? 20_000));
else {
  const endsAt = values.minutes === undefined ? undefined : Date.now() + Number(values.minutes) * 60_000;
  const worldsAtMost = Number(values.worlds ?? (endsAt === undefined ? 1_000 : Number.POSITIVE_INFINITY));
  const failed = await search(
    Number(values.from),
    (worlds) => worlds >= worldsAtMost || (endsAt !== undefined && Date.now() >= endsAt),
  );
  if (failed.length > 0) {
    console.log(
      `Show one of them with: npm run simulate -- --part ${failed[0]?.part} --seed ${failed[0]?.seed}`,
    );
    process.exitCode = 1;
  }
}
