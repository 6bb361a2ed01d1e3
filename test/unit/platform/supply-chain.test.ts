import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { movableActions, withoutIntegrity } from '../../../tools/scripts/check/supply-chain.ts';

const lockOf = (entry: object) => JSON.stringify({ packages: { '': {}, 'node_modules/one': entry } });

describe('the check of a lock file', () => {
  it('finds nothing in the lock file of this project', () => {
    expect(withoutIntegrity(readFileSync('package-lock.json', 'utf8'))).toEqual([]);
  });

  it.each([
    ['a package without integrity', { version: '1.0.0' }, 1],
    ['an optional one', { version: '1.0.0', optional: true }, 1],
    ['a binary of this platform', { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] }, 1],
    ['a binary of another', { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] }, 0],
    ['one for another platform that is not optional', { version: '1.0.0', os: ['darwin'] }, 1],
    ['what another package bundles', { version: '1.0.0', inBundle: true }, 0],
    ['a workspace', { link: true }, 0],
    ['a package with integrity', { version: '1.0.0', integrity: 'sha512-x' }, 0],
  ])('counts the findings for %s: %j', (_, entry, findings) => {
    expect(withoutIntegrity(lockOf(entry))).toHaveLength(findings);
  });
});

describe('the check of workflow actions', () => {
  it.each([
    ['uses: actions/checkout@v5', 1],
    ['- uses: actions/checkout@main', 1],
    ['uses: actions/checkout@3d3c42e5', 1],
    ['- uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1', 0],
    ['uses: ./.github/actions/own', 0],
  ])('counts unpinned actions in %s', (line, findings) => {
    expect(movableActions('ci.yml', `    steps:\n      ${line}\n`)).toHaveLength(findings);
  });
});
