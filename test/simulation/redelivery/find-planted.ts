/**
 * `find-planted.ts [WORLDS [NAME]]`: plants each fault of planted-faults.json in redelivery, and says which world finds it: the
 * kept one, or the first of so many worlds from it on. With NAME, only the faults with this text in their names.
 */
import { withEdits } from '../planted.ts';
import faults from './planted-faults.json' with { type: 'json' };
import type { WorldName, worlds as worldsOf } from './worlds.ts';

const [worldsAtMost = '1', wanted = ''] = process.argv.slice(2);
Error.stackTraceLimit = 0;
// Loaded when `planted.ts` already sees which module imports which.
const { worlds } = await import('./worlds.ts');

for (const { name, edits, world, seed: kept } of faults.filter((fault) => fault.name.includes(wanted))) {
  const of = world as WorldName;
  const edited = await withEdits<{ readonly worlds: typeof worldsOf }>('./redelivery/worlds.ts', {
    name,
    edits,
  });
  let found: string | undefined;
  for (let seed = kept; found === undefined && seed < kept + Number(worldsAtMost); seed += 1) {
    const { violations } = await edited.worlds[of](seed);
    // A world that fails anyway does not show the planted fault.
    if (violations.length > 0 && (await worlds[of](seed)).violations.length === 0) {
      found = `found by world ${seed}: ${violations[0]}`;
    }
  }
  console.log(`${name}: ${found ?? `not found in ${worldsAtMost} worlds`}`);
}
