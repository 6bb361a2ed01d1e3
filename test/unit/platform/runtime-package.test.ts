import { globSync, lstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

describe('packages/template-runtime', () => {
  it('does not mention the app that it runs', () => {
    const files = globSync('packages/template-runtime/**/*.*', {
      cwd: root,
      exclude: ['**/node_modules/**'],
    }).filter((file) => lstatSync(`${root}${file}`).isFile());
    const naming = files.filter((file) => /marquee/i.test(file + textOf(file)));

    expect(files.length).toBeGreaterThan(200);
    expect(naming).toEqual([]);
  });

  it('is used only through its exports', () => {
    const files = globSync(
      [
        '*.{ts,js,mjs}',
        '{bin,config,contracts,examples,functions,lib,local,operator,shared,test,tools}/**/*.{ts,js,mjs}',
        'packages/client/**/*.{ts,js,mjs}',
      ],
      { cwd: root, exclude: ['**/node_modules/**'] },
    );
    const past = files.filter((file) => /['"`]\.[^'"`\n]*\/template-runtime\//.test(textOf(file)));

    expect(files.length).toBeGreaterThan(800);
    expect(past).toEqual([]);
  });
});
