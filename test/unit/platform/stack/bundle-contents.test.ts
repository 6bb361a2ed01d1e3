import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The project's own files in the bundle of each function. The key is `<area>/<verb-noun>`. */
const contents = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { metafile } = await build({
    entryPoints: ['functions/**/index.ts'],
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    outdir: 'out',
    metafile: true,
  });
  return new Map(
    Object.values(metafile.outputs).map(({ entryPoint = '', inputs }) => [
      entryPoint.replace(/^functions\/(.*)\/index\.ts$/, '$1'),
      Object.keys(inputs),
    ]),
  );
};

describe('the bundle of a function', () => {
  it('contains code of OTT only if the function belongs to OTT', async () => {
    const bundles = [...(await contents())];

    // Messages name the status of an event, and the publisher of events decides who can see one. An export has sessions.
    const strangers = bundles.filter(
      ([entry, files]) =>
        !entry.startsWith('ott/') &&
        !['account/export-user', 'notifications/publish-events'].includes(entry) &&
        files.some((file) => file.startsWith('shared/ott/') && file !== 'shared/ott/events/event-kinds.ts'),
    );
    const ours = bundles.filter(
      ([entry, files]) =>
        entry.startsWith('ott/') && files.some((file) => file === 'shared/ott/viewers/geoblocking.ts'),
    );

    expect(strangers.map(([entry]) => entry)).toEqual([]);
    expect(ours.map(([entry]) => entry)).toEqual([
      'ott/apply-schedules',
      'ott/edit-catalogue',
      'ott/end-stream',
      'ott/get-event',
      'ott/get-stream',
      'ott/list-events',
    ]);
  });
});
