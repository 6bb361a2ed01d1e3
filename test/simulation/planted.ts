/**
 * Faults that are planted in the service's code to see whether the simulator finds them. Each replaces
 * texts of modules while they are loaded, so nothing of it is stored anywhere else.
 */
import { registerHooks } from 'node:module';
import faults from './planted-faults.json' with { type: 'json' };

export interface PlantedFault {
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  /** The first world that finds it. */
  readonly seed: number;
}

export const plantedFaults: readonly PlantedFault[] = faults;

const project = new URL('../../', import.meta.url);

/** The simulator over the service with one planted fault. Each has modules of its own. */
export const worldsWith = async ({ name, edits }: PlantedFault): Promise<typeof import('./world.ts')> => {
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
    const worlds: typeof import('./world.ts') = await import(`./world.ts${mark}`);
    for (const { file } of missing) throw new Error(`The simulator does not load ${file}`);
    return worlds;
  } finally {
    hooks.deregister();
  }
};
