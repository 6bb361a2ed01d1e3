import { copyFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { stageNames } from '../../config/stages.ts';
import { keepNftRelease } from '../../test/support/nft/release-writes.ts';
import { keepOttRelease } from '../../test/support/ott/release-writes.ts';
import { synthesizeTemplate } from '../../test/support/platform/local-assembly.ts';
import { exchangesText, recordExchanges } from '../../test/support/platform/release-exchanges.ts';
import { releaseText } from '../../test/support/platform/release-writes.ts';
import { templateOf } from '../../test/support/platform/stack.ts';
import { startSystem } from '../../test/support/platform/system.ts';
import { keepUserRelease } from '../../test/support/users/user-release-writes.ts';
import { bundleOptions } from './bundle-options.ts';
import { releaseText as templatesText } from './release/stateful-resources.ts';

await synthesizeTemplate();

// Run this with each release. It stores what the tests of the next release need: an update to that release must not
// replace any of the resources in these templates.
writeFileSync(
  new URL('../../test/unit/platform/stack/last-release.json', import.meta.url),
  templatesText(Object.fromEntries(stageNames.map((stage) => [stage, templateOf(stage)]))),
);

// The functions of the next release must be able to continue with the data that the functions of this release write.
const keep = { nft: keepNftRelease, ott: keepOttRelease, users: keepUserRelease };
for (const [area, keepRelease] of Object.entries(keep)) {
  writeFileSync(
    new URL(`../../test/integration/${area}/last-release.json`, import.meta.url),
    releaseText(await keepRelease()),
  );
}

/** The readers of this release with all that they need, as one module. */
const bundleReaders = async (): Promise<string> => {
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: ['test/support/platform/release-readers.ts'],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

// After a rollback, the functions of this release read what those of the next one have written.
writeFileSync(
  new URL('../../test/integration/platform/last-release-readers.mjs', import.meta.url),
  await bundleReaders(),
);

// A client that was generated from this release's document must be able to call the next release.
const client = new URL('../../packages/client/', import.meta.url);
copyFileSync(new URL('src/generated/schema.ts', client), new URL('test/unit/last-release.d.ts', client));

// The next release must give the same bytes to customers who use nothing new.
const system = await startSystem({ arguments: ['--empty'] });
try {
  writeFileSync(
    new URL('../../test/e2e/platform/last-release.json', import.meta.url),
    exchangesText(await recordExchanges(system)),
  );
} finally {
  await system.dispose();
}
