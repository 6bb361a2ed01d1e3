import { readFileSync, writeFileSync } from 'node:fs';
import { guideFile, scaleFile } from '../bench/cost/guide.ts';
import { withScale } from '../bench/cost/scale-page.ts';
import { costTables, withTables } from '../bench/cost/tables.ts';
import { countedUnits } from '../operator/scale/counted-units.ts';

// Writes the tables in docs/operator-guide.md and docs/scale.md from the stored counts, the prices and the limits. `npm
// run bench -- cost` counts anew.
const units = countedUnits();
writeFileSync(guideFile, withTables(readFileSync(guideFile, 'utf8'), costTables(units)));
writeFileSync(scaleFile, withScale(readFileSync(scaleFile, 'utf8'), units));
