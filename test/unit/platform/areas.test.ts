import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const areas = ['nft', 'notifications', 'ott', 'platform', 'users', 'wallets'];

const foldersIn = (path: string): string[] =>
  readdirSync(new URL(`../../../${path}/`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

describe('the list of areas', () => {
  it.each(['shared', 'functions', 'lib'])('equals the list of folders in %s', (path) => {
    expect(foldersIn(path)).toEqual(areas);
  });

  it.each(['operator', 'test/unit', 'test/integration', 'test/e2e', 'test/drills', 'test/support'])(
    'contains every folder in %s',
    (path) => {
      const folders = foldersIn(path);

      expect(folders.length).toBeGreaterThan(1);
      expect(areas).toEqual(expect.arrayContaining(folders));
    },
  );
});
