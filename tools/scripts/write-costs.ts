import { readFileSync, writeFileSync } from 'node:fs';
import { countedUnits } from '../../operator/stage/scale/counted-units.ts';
import { templateOf } from '../../test/support/platform/stack.ts';
import { guideFile, scaleFile } from '../bench/cost/guide.ts';
import { idleTable } from '../bench/cost/idle.ts';
import { withScale } from '../bench/cost/scale-page.ts';
import { costTables, withIdleTable, withTables } from '../bench/cost/tables.ts';

// Writes the tables in docs/costs.md and docs/scale.md from the stored counts, the templates, the prices and the limits. `npm
// run bench -- cost` counts anew.
const units = countedUnits();
const idle = idleTable({ prod: templateOf('prod'), staging: templateOf('staging') });
const guide = readFileSync(guideFile, 'utf8');
writeFileSync(guideFile, withIdleTable(withTables(guide, costTables(units)), idle));
writeFileSync(scaleFile, withScale(readFileSync(scaleFile, 'utf8'), units));
