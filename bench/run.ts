import { parseArgs } from 'node:util';
import { measureBatches } from './batches.ts';
import { measureConsole } from './console.ts';
import { measureDatabaseFaults } from './database-faults.ts';
import { measureFinality } from './finality.ts';
import { measureHangingEntitlement } from './hanging-entitlement.ts';
import { measureHidden } from './hidden-events.ts';
import { measureImports } from './import-events.ts';
import { measureLongQueue } from './long-queue.ts';
import type { Measurement } from './measurement.ts';
import { measureMints } from './mints.ts';
import { measureNeighbour } from './neighbour.ts';
import { measureNft } from './nft.ts';
import { measureOtt } from './ott.ts';
import { measureOttQueries } from './ott-queries.ts';
import { measureSoak } from './soak.ts';
import { measureStuckSigner } from './stuck-signer.ts';
import { measureUserData } from './user-data.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '5' } },
});

const areas: Readonly<Record<string, () => Promise<Measurement[]>>> = {
  mints: () => measureMints({ keys: false, rpcLatencyMilliseconds: 0 }),
  'mints-with-keys': () => measureMints({ keys: true, rpcLatencyMilliseconds: 0 }),
  'mints-far-from-the-chain': () => measureMints({ keys: false, rpcLatencyMilliseconds: 100 }),
  'mints-beside-a-neighbour': measureNeighbour,
  'mints-beside-a-stuck-signer': measureStuckSigner,
  'mints-behind-a-long-queue': measureLongQueue,
  'mints-in-batches': measureBatches,
  finality: measureFinality,
  nft: measureNft,
  'user-data': measureUserData,
  ott: measureOtt,
  'database-faults': measureDatabaseFaults,
  'hanging-entitlement': measureHangingEntitlement,
  'ott-queries': measureOttQueries,
  'ott-hidden': measureHidden,
  'ott-imports': measureImports,
  console: measureConsole,
  soak: () => measureSoak({ minutes: Number(values.minutes) }),
};

/** Run only when they are named: they take their minutes. */
const onlyNamed: readonly string[] = ['console', 'soak'];

const unknown = positionals.filter((name) => !(name in areas));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}; choose from ${Object.keys(areas).join(', ')}, or none for all but ${onlyNamed.join(' and ')}.`,
  );
  process.exit(2);
}

let broken = 0;
for (const [name, measure] of Object.entries(areas)) {
  if (positionals.length === 0 ? onlyNamed.includes(name) : !positionals.includes(name)) continue;
  console.log(`\n${name}`);
  for (const { name: what, value, unit, holds } of await measure()) {
    const mark = holds === undefined ? ' ' : holds ? '✓' : '✗';
    console.log(`${mark} ${what.padEnd(68)} ${value.toFixed(2).padStart(10)} ${unit}`);
    broken += holds === false ? 1 : 0;
  }
}
process.exitCode = broken === 0 ? 0 : 1;
