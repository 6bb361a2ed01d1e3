import { parseArgs } from 'node:util';
import { measureBatches } from './batches.ts';
import { measureCatalogueCost } from './cost/catalogue.ts';
import { measureCost } from './cost/cost.ts';
import { measureHidden } from './hidden-events.ts';
import type { Measurement } from './measurement.ts';
import { measureMints } from './mints.ts';
import { measureOtt } from './ott.ts';
import { measureOttQueries } from './ott-queries.ts';
import { measureScale } from './scale.ts';
import { measureSoak } from './soak.ts';
import { measureUserData } from './user-data.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '5' } },
});

const parts: Readonly<Record<string, readonly (() => Promise<Measurement[]>)[]>> = {
  mints: [measureMints, measureBatches],
  'user-data': [measureUserData],
  ott: [measureOtt, measureOttQueries, measureHidden],
  cost: [measureCost, measureCatalogueCost],
  scale: [measureScale],
  soak: [() => measureSoak({ minutes: Number(values.minutes) })],
};

/** These parts run only when they are named, because they take many minutes or write files. */
const onlyNamed = ['cost', 'scale', 'soak'];

const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}. Name some of ${Object.keys(parts).join(', ')}; without a name, all but ${onlyNamed.join(', ')} run.`,
  );
  process.exit(2);
}

let broken = 0;
for (const [part, measures] of Object.entries(parts)) {
  if (positionals.length === 0 ? onlyNamed.includes(part) : !positionals.includes(part)) continue;
  console.log(`\n${part}`);
  for (const measure of measures) {
    for (const { name, value, unit, holds } of await measure()) {
      const mark = holds === undefined ? ' ' : holds ? '✓' : '✗';
      console.log(`${mark} ${name.padEnd(68)} ${value.toFixed(2).padStart(10)} ${unit}`);
      broken += holds === false ? 1 : 0;
    }
  }
}
process.exitCode = broken === 0 ? 0 : 1;
