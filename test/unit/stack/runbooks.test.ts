import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resourcesOf, templateOf } from '../../support/stack.ts';

const page = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');

/** The anchors that GitHub makes of the headings. */
const anchorsOf = (headings: RegExp): string[] =>
  [...page.matchAll(headings)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const anchors = new Set(anchorsOf(/^#{2,4} (.+)$/gm));

const named = resourcesOf(templateOf('prod'), 'AWS::CloudWatch::Alarm').map(
  ([, { Properties }]) => /docs\/runbook\.md#(.+)$/.exec(String(Properties.AlarmDescription))?.[1] ?? '',
);

describe('runbooks', () => {
  it('exist for every alarm', () => {
    expect(named.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });

  it('exist for every problem of the verdict', () => {
    const verdict = readFileSync(new URL('../../../operator/now/verdict.ts', import.meta.url), 'utf8');
    const sections = [...verdict.matchAll(/'([a-z]+(?:-[a-z]+)+|funds|fees)'/g)].map(
      ([, section = '']) => section,
    );
    expect(sections).toContain('the-oldest-transaction-waits');

    expect(sections.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });

  it('are each named by an alarm', () => {
    expect(anchorsOf(/^### (.+)$/gm).filter((section) => !named.includes(section))).toEqual([]);
  });

  it('point to each other correctly', () => {
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);

    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });
});
