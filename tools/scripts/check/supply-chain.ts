import { globSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { type Findings, projectRoot } from './command.ts';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().default(false),
      inBundle: z.boolean().default(false),
      optional: z.boolean().default(false),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
    }),
  ),
});

const platform = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/**
 * Packages of a lock file that npm would install without checking a hash. Workspaces and bundled packages are left out,
 * because they are covered in another way. Binaries for platforms other than Linux on x64 are left out, because not
 * every registry has all of them, and nothing is deployed from such a platform.
 */
export const withoutIntegrity = (text: string): Findings =>
  Object.entries(lockFile.parse(JSON.parse(text)).packages)
    .filter(([path]) => path.includes('node_modules/'))
    .filter(([, { integrity, link, inBundle }]) => integrity === undefined && !link && !inBundle)
    .filter(([, entry]) => {
      const isElsewhere = (['os', 'cpu', 'libc'] as const).some(
        (part) => entry[part] !== undefined && !entry[part].includes(platform[part]),
      );
      return !(entry.optional && isElsewhere);
    })
    .map(([path, { version }]) => `package-lock.json: ${path} ${version} has no integrity`);

/**
 * Actions of a workflow that are referenced by a tag or a branch, which the action's owner can move to another commit.
 */
export const movableActions = (file: string, text: string): Findings =>
  [...text.matchAll(/^\s*-?\s*uses:\s*(\S+)/gm)]
    .map(([, action = '']) => action)
    .filter((action) => !action.startsWith('./') && !/@[0-9a-f]{40}$/.test(action))
    .map((action) => `${file}: ${action} is referenced by a name that can be moved, not by a commit`);

export const checkSupplyChain = async (): Promise<Findings> => [
  ...withoutIntegrity(readFileSync(`${projectRoot}package-lock.json`, 'utf8')),
  ...globSync('.github/**/*.{yml,yaml}', { cwd: projectRoot }).flatMap((file) =>
    movableActions(file, readFileSync(`${projectRoot}${file}`, 'utf8')),
  ),
];
