import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { anchorOf } from '../../../support/platform/runbook.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const read = (file: string) => readFileSync(join(root, file), 'utf8');

const filesOf = (pattern: string): string[] =>
  globSync(pattern, {
    cwd: root,
    exclude: (name) => ['node_modules', 'cdk.out', '.local', '.git'].includes(name),
  });

/** The anchors of a page. A heading that stands twice has numbers. */
const anchorsOf = (page: string): Set<string> => {
  const withoutCode = page.replaceAll(/^```[\s\S]*?^```/gm, '');
  return new Set([...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
};

const pages = new Map(filesOf('**/*.md').map((file) => [file, anchorsOf(read(file))] as const));

/** The broken links, each with its target `to`: a file, an anchor or both. */
const broken = (file: string, links: readonly string[]): string[] =>
  links.filter((to) => {
    const [path = '', anchor] = to.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && pages.get(relative('.', target))?.has(anchor) !== true;
  });

it.each([...pages.keys()].filter((file) => file !== 'tools/openapi/introduction.md'))(
  '%s has no broken link',
  (file) => {
    const links = [...read(file).matchAll(/\]\(((?!https?:|mailto:)[^)\s]+)\)/g)].map(([, to = '']) => to);

    expect(broken(file, links)).toEqual([]);
  },
);

it('references from the code to docs/interface.md point to existing headings', () => {
  const references = filesOf('{bin,lib,functions,shared,operator,openapi,test}/**/*.ts').flatMap((file) =>
    [...read(file).matchAll(/docs\/interface\.md(#[a-z-]+)/g)].map(([to]) => ({ file, to })),
  );

  expect(references.length).toBeGreaterThan(0);
  expect(references.filter(({ to }) => broken('', [to]).length > 0)).toEqual([]);
});
