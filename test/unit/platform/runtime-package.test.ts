import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

describe('packages/template-runtime', () => {
  it('does not mention the app that it runs', () => {
    const files = globSync('packages/template-runtime/**/*.{ts,md,json}', {
      cwd: root,
      exclude: ['**/node_modules/**'],
    });
    const naming = files.filter((file) => /marquee/i.test(textOf(file)));

    expect(files.length).toBeGreaterThan(200);
    expect(naming).toEqual([]);
  });

  it('is imported only through its exports', () => {
    const files = globSync('{bin,config,functions,lib,local,operator,shared,test,tools}/**/*.{ts,mjs}', {
      cwd: root,
    });
    const past = files.filter((file) =>
      /(from|import\() *'[^']*packages\/template-runtime\//.test(textOf(file)),
    );

    expect(files.length).toBeGreaterThan(800);
    expect(past).toEqual([]);
  });
});
