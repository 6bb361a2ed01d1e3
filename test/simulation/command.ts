/** `npm run simulate`: searches worlds for one in which something does not hold, or shows one of them. */
import { parseArgs } from 'node:util';
import { faultKinds } from './faults.ts';
import { plantedFaults, worldsWith } from './planted.ts';
import { shorten } from './shorten.ts';
import { runWorld, type WorldResult } from './world.ts';

const usage = `npm run simulate -- --worlds 10000        runs the worlds 1 to 10000
npm run simulate -- --minutes 30          runs worlds for half an hour
npm run simulate -- --from 5001 …         begins with the world 5001
npm run simulate -- --seed 7              shows what happens in world 7; of a world that fails, the shortest form
npm run simulate -- --seed 7 --reads      shows also what only reads, of a world in which everything holds
npm run simulate -- --planted             plants faults in the service's code, and says which world finds each of them
npm run simulate -- --planted --kept      tries only the world that is kept for each of them
npm run simulate -- … --fault TEXT        plants only the faults with this text in their names; with --seed, shows the
                                          world with this fault`;

const { values } = parseArgs({
  options: {
    worlds: { type: 'string' },
    minutes: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    planted: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
    reads: { type: 'boolean', default: false },
    fault: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const chosenFaults = plantedFaults.filter(({ name }) => name.includes(values.fault));

const secondsOfProcessor = (): number => process.cpuUsage().user / 1e6;

const kindOf = (fault: string): string => fault.slice(0, fault.indexOf(' @ '));

/** Runs worlds until `isOver`, and tells how often each kind of fault struck. */
const search = async (from: number, isOver: (worlds: number) => boolean): Promise<readonly WorldResult[]> => {
  const struck = new Map<string, number>(Object.keys(faultKinds).map((kind) => [kind, 0]));
  const failed: WorldResult[] = [];
  const startedAt = secondsOfProcessor();
  let worlds = 0;
  while (!isOver(worlds)) {
    const result = await runWorld({ seed: from + worlds });
    worlds += 1;
    for (const fault of result.struck) struck.set(kindOf(fault), (struck.get(kindOf(fault)) ?? 0) + 1);
    if (result.violations.length === 0) continue;
    failed.push(result);
    console.log(`World ${result.seed}: ${result.violations.join('; ')}`);
  }
  for (const [kind, count] of struck) console.log(`${String(count).padStart(10)}  ${kind}`);
  const seconds = secondsOfProcessor() - startedAt;
  console.log(
    `${worlds} worlds from ${from}, ${(worlds / seconds).toFixed(0)} a second; ${failed.length} failed.`,
  );
  return failed;
};

const show = async (seed: number): Promise<void> => {
  const [planted] = values.fault === '' ? [] : chosenFaults;
  const { runWorld: run } = planted === undefined ? { runWorld } : await worldsWith(planted);
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
    const { runWorld: run } = await worldsWith(fault);
    const from = values.kept ? fault.seed : Number(values.from);
    let found: WorldResult | undefined;
    for (let seed = from; found === undefined && seed < from + worldsAtMost; seed += 1) {
      const result = await run({ seed });
      // A world that fails anyway does not show the planted fault.
      const isFound = result.violations.length > 0 && (await runWorld({ seed })).violations.length === 0;
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
    console.log(`Show one of them with: npm run simulate -- --seed ${failed[0]?.seed}`);
    process.exitCode = 1;
  }
}
