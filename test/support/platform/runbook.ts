import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The anchor that GitHub makes of a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9\- ]/g, '')
    .replaceAll(' ', '-');

export interface Section {
  readonly anchor: string;
  /** The inline code of the section, each in one line. */
  readonly code: readonly string[];
}

const partsOf = (page: string) => page.split(/^(?=#{1,6} )/m);
const sectionOf = (part: string): Section => {
  const [heading = '', ...lines] = part.split('\n');
  return {
    anchor: anchorOf(heading.replace(/^#+ /, '')),
    code: [...lines.join('\n').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' ')),
  };
};

/** The sections of any page, without its blocks of code. */
export const sectionsOf = (page: string): Section[] =>
  partsOf(page.replaceAll(/^ *```.*?^ *```$/gms, '')).map(sectionOf);

/** The sections of the runbook that say what to do. A chapter (`##`) with sections of its own says nothing itself. */
export const runbookSections = (page: string): Section[] => {
  const parts = partsOf(page).slice(1);
  return parts
    .filter((part, index) => !(part.startsWith('## ') && parts[index + 1]?.startsWith('### ')))
    .map(sectionOf);
};

export interface Remedy {
  readonly section: string;
  readonly command: string;
  readonly file: string;
}

/** The calls of `remedy` in the tests and in the checks with other engines. */
export const testedRemedies = (): Remedy[] =>
  ['test', 'tools/scripts/second-engine'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((name) => {
        const file = join(folder, name);
        const text = readFileSync(join(root, file), 'utf8');
        return [...text.matchAll(/\bremedy\(\s*'([a-z0-9-]+)'(?:,\s*'([^']+)')?,?\s*\)/g)].map(
          ([, section = '', command = '']) => ({ section, command, file }),
        );
      }),
  );
