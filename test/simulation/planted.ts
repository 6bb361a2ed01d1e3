/**
 * Faults that are planted in the service's code to see whether the simulator finds them. Each replaces
 * texts of modules while they are loaded, so nothing of it is stored anywhere else.
 */
import { registerHooks } from 'node:module';
import { type Part, parts } from './faults.ts';
import type { RunWorld } from './frame.ts';
import notifications from './notifications/planted-faults.json' with { type: 'json' };
import sessions from './ott/planted-faults.json' with { type: 'json' };
import money from './planted-faults.json' with { type: 'json' };
import reservations from './reservations/planted-faults.json' with { type: 'json' };
import restores from './restores/planted-faults.json' with { type: 'json' };
import wallets from './wallets/planted-faults.json' with { type: 'json' };

/** The module with the worlds of each part. */
const modules = {
  money: { path: './world.ts', load: () => import('./world.ts') },
  notifications: { path: './notifications/world.ts', load: () => import('./notifications/world.ts') },
  reservations: { path: './reservations/world.ts', load: () => import('./reservations/world.ts') },
  restores: { path: './restores/world.ts', load: () => import('./restores/world.ts') },
  sessions: { path: './ott/world.ts', load: () => import('./ott/world.ts') },
  wallets: { path: './wallets/world.ts', load: () => import('./wallets/world.ts') },
} as const satisfies Record<Part, unknown>;

export const worldsOf = async (part: Part): Promise<RunWorld> => (await modules[part].load()).runWorld;

export interface PlantedFault {
  readonly part: Part;
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  /** The first world that finds it. */
  readonly seed: number;
}

const faults = { money, notifications, reservations, restores, sessions, wallets } as const satisfies Record<
  Part,
  readonly Omit<PlantedFault, 'part'>[]
>;

export const plantedFaults: readonly PlantedFault[] = parts.flatMap((part) =>
  faults[part].map((fault) => ({ part, ...fault })),
);

const project = new URL('../../', import.meta.url);

/** The simulator over the service with one planted fault. Each has modules of its own. */
export const worldsWith = async ({ name, edits, part }: PlantedFault): Promise<RunWorld> => {
  const mark = `?planted=${encodeURIComponent(name)}`;
  const missing = new Set(edits);
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const isOwn = resolved.url.startsWith(project.href) && !resolved.url.includes('/node_modules/');
      return isOwn && context.parentURL?.endsWith(mark) === true && !resolved.url.includes('?')
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
    const { runWorld }: { readonly runWorld: RunWorld } = await import(`${modules[part].path}${mark}`);
    for (const { file } of missing) throw new Error(`The simulator does not load ${file}`);
    return runWorld;
  } finally {
    hooks.deregister();
  }
};
