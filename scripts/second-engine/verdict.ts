import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What another engine makes of the service, or what this machine lacks to ask it. */
export type Verdict =
  | { readonly checked: number; readonly findings: readonly string[] }
  | { readonly missing: string };

/** What was fetched and built, kept between runs. */
export const cacheDirectory = fileURLToPath(
  new URL('../../node_modules/.cache/marquee/engines', import.meta.url),
);
mkdirSync(cacheDirectory, { recursive: true });
