import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The result of a check with another engine, or what this machine lacks for it. */
export type Verdict =
  | { readonly checked: number; readonly findings: readonly string[] }
  | { readonly missing: string };

export const cacheDirectory = fileURLToPath(
  new URL('../../../node_modules/.cache/marquee/engines', import.meta.url),
);
mkdirSync(cacheDirectory, { recursive: true });
