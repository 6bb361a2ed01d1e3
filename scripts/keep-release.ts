import { writeFileSync } from 'node:fs';
import { stageNames } from '../config/stages.ts';
import { templateOf } from '../test/support/stack.ts';
import { releaseText } from './release/stateful-resources.ts';

// Run with each release: what the templates of its stages hold is what the next one must not replace.
writeFileSync(
  new URL('../test/unit/stack/last-release.json', import.meta.url),
  releaseText(Object.fromEntries(stageNames.map((stage) => [stage, templateOf(stage)]))),
);
