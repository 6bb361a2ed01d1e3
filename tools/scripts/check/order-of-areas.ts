import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Findings } from './command.ts';

/** Each area imports only itself and the areas before it. `stage` is what knows all areas of a running stage. */
export const areas = [
  'platform',
  'chain',
  'users',
  'wallets',
  'nft',
  'ott',
  'notifications',
  'account',
  'stage',
] as const;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The folders whose areas import in this order. `functions/` also imports the areas of `shared/` in it. */
const orderedFolders = ['shared', 'functions', 'lib', 'operator'];

const placeOf = (file: string) => {
  const [folder = '', area = '', ...rest] = file.split('/');
  const order = areas.indexOf(area as (typeof areas)[number]);
  return orderedFolders.includes(folder) && rest.length > 0 && order >= 0 ? { folder, order } : undefined;
};

/** The imports of a file that go to an area after its own. */
export const wrongImports = (file: string, text: string): string[] => {
  const own = placeOf(file);
  if (own === undefined) return [];
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((target) => {
      const place = placeOf(target);
      if (place === undefined || place.order <= own.order) return false;
      return place.folder === own.folder || (own.folder === 'functions' && place.folder === 'shared');
    })
    .map((target) => `${file} imports ${target}`);
};

export const checkOrderOfAreas = async (): Promise<Findings> =>
  globSync(`{${orderedFolders.join(',')}}/**/*.ts`, { cwd: root })
    .sort()
    .flatMap((file) => wrongImports(file, readFileSync(join(root, file), 'utf8')));
