import { writeFileSync } from 'node:fs';
import { stageNames } from '../config/stages.ts';
import { keepReleaseWrites, releaseText } from '../test/support/nft/release-writes.ts';
import { templateOf } from '../test/support/stack.ts';
import { releaseText as templatesText } from './release/stateful-resources.ts';

// Run with each release: what the templates of its stages hold is what the next one must not replace.
writeFileSync(
  new URL('../test/unit/stack/last-release.json', import.meta.url),
  templatesText(Object.fromEntries(stageNames.map((stage) => [stage, templateOf(stage)]))),
);

// And what its functions write, which the next one's have to go on with.
writeFileSync(
  new URL('../test/integration/nft/last-release.json', import.meta.url),
  releaseText(await keepReleaseWrites()),
);
