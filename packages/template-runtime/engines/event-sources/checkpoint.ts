import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';

const stored = z.strictObject({ streamArn: z.string(), after: z.string().optional() });

export interface Checkpoint {
  readonly after?: string;
}

/**
 * The file is replaced by rename, so that it survives a kill. It is not synced to the disk: after a power loss, some
 * records may be handled twice.
 */
export const checkpointFile = (path: string, streamArn: string) => ({
  /** `undefined` when this stream was never read. */
  load: async (): Promise<Checkpoint | undefined> => {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
    const { streamArn: writtenFor, ...checkpoint } = stored.parse(JSON.parse(text));
    return writtenFor === streamArn ? checkpoint : undefined;
  },
  save: async (checkpoint: Checkpoint): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.tmp`, JSON.stringify({ streamArn, ...checkpoint }));
    await rename(`${path}.tmp`, path);
  },
});
