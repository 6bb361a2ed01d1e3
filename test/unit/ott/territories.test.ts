import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countryCodes } from '../../../shared/ott/viewers/countries.ts';
import { type Geoblocking, ruleBlocks } from '../../../shared/ott/viewers/geoblocking.ts';

const guide = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8');
const [, section = ''] = /### Countries and their territories\n(.*?)\n#/s.exec(guide) ?? [];
const territoriesOf = [...section.matchAll(/^\| `([A-Z]{2})` \| (.*) \|$/gm)].map(
  ([, country = '', cell = '']) =>
    [country, [...cell.matchAll(/`([A-Z]{2})`/g)].map(([, code]) => code)] as const,
);

describe('a territory with a code of its own', () => {
  it.each(territoriesOf)('is no part of %s in a rule, as the operator guide says', (country, territories) => {
    expect(territories.length).toBeGreaterThan(0);
    for (const territory of territories) {
      expect(countryCodes).toContain(territory);
      for (const mode of ['block', 'allow'] as const) {
        const rule: Geoblocking = { enabled: true, mode, countries: [country] };
        const blocks = (where: string | undefined) => ruleBlocks({ rule, status: 'LIVE', country: where });
        expect([blocks(country), blocks(territory)]).toEqual([mode === 'block', mode === 'allow']);
      }
    }
  });

  it('is listed once', () => {
    const all = territoriesOf.flatMap(([country, territories]) => [country, ...territories]);

    expect(territoriesOf.length).toBeGreaterThan(5);
    expect(new Set(all).size).toBe(all.length);
  });
});
