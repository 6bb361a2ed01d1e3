/**
 * Faults that are planted in the service's code to see whether the simulator finds them. Each replaces
 * texts of modules while they are loaded, so nothing of it is stored anywhere else.
 */
import { registerHooks } from 'node:module';
import accounts from './accounts/planted-faults.json' with { type: 'json' };
import catalogue from './catalogue/planted-faults.json' with { type: 'json' };
import { type Part, parts } from './faults.ts';
import type { RunWorld } from './frame.ts';
import notifications from './notifications/planted-faults.json' with { type: 'json' };
import sessions from './ott/planted-faults.json' with { type: 'json' };
import money from './planted-faults.json' with { type: 'json' };
import reservations from './reservations/planted-faults.json' with { type: 'json' };
import restores from './restores/planted-faults.json' with { type: 'json' };
import rareRestores from './restores/rare-faults.json' with { type: 'json' };
import wallets from './wallets/planted-faults.json' with { type: 'json' };

/** The module with the worlds of each part. */
const modules = {
  accounts: { path: './accounts/world.ts', load: () => import('./accounts/world.ts') },
  catalogue: { path: './catalogue/world.ts', load: () => import('./catalogue/world.ts') },
  money: { path: './world.ts', load: () => import('./world.ts') },
  notifications: { path: './notifications/world.ts', load: () => import('./notifications/world.ts') },
  reservations: { path: './reservations/world.ts', load: () => import('./reservations/world.ts') },
  restores: { path: './restores/world.ts', load: () => import('./restores/world.ts') },
  sessions: { path: './ott/world.ts', load: () => import('./ott/world.ts') },
  wallets: { path: './wallets/world.ts', load: () => import('./wallets/world.ts') },
} as const satisfies Record<Part, unknown>;

export const worldsOf = async (part: Part): Promise<RunWorld> => (await modules[part].load()).runWorld;

type Edits = readonly { readonly file: string; readonly from: string; readonly to: string }[];

export interface PlantedFault {
  readonly part: Part;
  readonly name: string;
  readonly edits: Edits;
  /**
   * Edits of the simulator, or of a number in the service. They make frequent what the fault needs to do harm, and do no
   * harm themselves.
   *
   * @default none
   */
  readonly frequent?: Edits;
  /** The first world that finds it. */
  readonly seed: number;
}

const faults = {
  money,
  notifications,
  reservations,
  restores: [...restores, ...rareRestores],
  sessions,
  wallets,
  catalogue,
  accounts,
} as const satisfies Record<Part, readonly Omit<PlantedFault, 'part'>[]>;

export const plantedFaults: readonly PlantedFault[] = parts.flatMap((part) =>
  faults[part].map((fault) => ({ part, ...fault })),
);

const project = new URL('../../', import.meta.url);
const isOwn = (url: string): boolean => url.startsWith(project.href) && !url.includes('/node_modules/');

/** Which modules import each of the project's modules. */
const importers = new Map<string, Set<string>>();
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const { parentURL } = context;
    if (parentURL === undefined || !isOwn(resolved.url)) return resolved;
    importers.set(resolved.url, (importers.get(resolved.url) ?? new Set()).add(parentURL));
    return resolved;
  },
});

/** These modules, and all that import them, directly or not. */
const withImporters = (urls: Iterable<string>): ReadonlySet<string> => {
  const found = new Set(urls);
  // A set that grows meanwhile is walked to its end.
  for (const url of found) for (const importer of importers.get(url) ?? []) found.add(importer);
  return found;
};

/**
 * A module of the simulator over the service with these edits. What does not import the changed modules is not loaded
 * again.
 * @param path relative to this file
 */
export const withEdits = async <Module>(
  path: string,
  { name, edits }: { readonly name: string; readonly edits: Edits },
): Promise<Module> => {
  await import(path);
  const changed = withImporters(edits.map(({ file }) => new URL(file, project).href));
  const mark = `?planted=${encodeURIComponent(name)}`;
  const missing = new Set(edits);
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      return context.parentURL?.endsWith(mark) === true && changed.has(resolved.url)
        ? { ...resolved, url: `${resolved.url}${mark}` }
        : resolved;
    },
    load: (url, context, next) => {
      const loaded = next(url, context);
      let source = loaded.source;
      for (const edit of edits) {
        if (url !== `${new URL(edit.file, project).href}${mark}`) continue;
        const parts = String(source).split(edit.from);
        if (parts.length !== 2)
          throw new Error(`${edit.file} has no longer, or more than once: ${edit.from}`);
        source = parts.join(edit.to);
        missing.delete(edit);
      }
      return { ...loaded, source };
    },
  });
  try {
    const edited: Module = await import(`${path}${mark}`);
    for (const { file } of missing) throw new Error(`The simulator does not load ${file}`);
    return edited;
  } finally {
    hooks.deregister();
  }
};

const editedWorlds = async (
  part: Part,
  fault: { readonly name: string; readonly edits: Edits },
): Promise<RunWorld> => {
  const { path } = modules[part];
  const { runWorld } = await withEdits<{ readonly runWorld: RunWorld }>(path, fault);
  return runWorld;
};

/** The simulator over the service with one planted fault. */
export const worldsWith = ({ part, name, edits, frequent = [] }: PlantedFault): Promise<RunWorld> =>
  editedWorlds(part, { name, edits: [...edits, ...frequent] });

/** The same simulator over the service as it is. */
export const worldsWithout = ({ part, name, frequent }: PlantedFault): Promise<RunWorld> =>
  frequent === undefined
    ? worldsOf(part)
    : editedWorlds(part, { name: `${name}, not planted`, edits: frequent });
