/**
 * Faults that are planted in the service's code to see whether the simulator finds them. Each is a text that replaces
 * another while the module is loaded, so nothing of it is stored anywhere else.
 */
import { registerHooks } from 'node:module';
import faults from './planted-faults.json' with { type: 'json' };

export interface PlantedFault {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const plantedFaults: readonly PlantedFault[] = faults;

const project = new URL('../../', import.meta.url);

/** The simulator over the service with one planted fault. Each has modules of its own. */
export const worldsWith = async ({
  name,
  file,
  from,
  to,
}: PlantedFault): Promise<typeof import('./world.ts')> => {
  const mark = `?planted=${encodeURIComponent(name)}`;
  const planted = new URL(file, project).href;
  let isPlanted = false;
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
      if (url !== `${planted}${mark}`) return loaded;
      const source = String(loaded.source);
      if (source.split(from).length !== 2)
        throw new Error(`${file} has no longer, or more than once: ${from}`);
      isPlanted = true;
      return { ...loaded, source: source.replace(from, () => to) };
    },
  });
  try {
    const worlds: typeof import('./world.ts') = await import(`./world.ts${mark}`);
    if (!isPlanted) throw new Error(`The simulator does not load ${file}`);
    return worlds;
  } finally {
    hooks.deregister();
  }
};
