import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../../../tools/scripts/installed.mjs';

const here = { os: [process.platform], cpu: [process.arch] };
const one = { version: '1.0.0', integrity: 'sha512-one' };
const lock = {
  '': { name: 'an-app' },
  'node_modules/one': one,
  'node_modules/own': { resolved: 'packages/own', link: true },
  'node_modules/for-here': { ...one, ...here, optional: true },
  'node_modules/for-others': { ...one, os: ['plan9'], cpu: [process.arch], optional: true },
  'node_modules/for-another-libc': { ...one, ...here, libc: ['another'], optional: true },
  'node_modules/of-a-package-for-others': { ...one, optional: true },
};
const { '': _, ...all } = lock;
const { 'node_modules/one': __, ...withoutOne } = all;
const { 'node_modules/for-here': ___, ...withoutForHere } = all;

describe('the packages', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'installed-'));
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: lock }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['are installed if npm has installed all of the lock file', { packages: all }, true],
    [
      'are installed without those for another platform or libc',
      { packages: { 'node_modules/one': one, 'node_modules/own': {}, 'node_modules/for-here': one } },
      true,
    ],
    ['are not installed if one is missing', { packages: withoutOne }, false],
    ['are not installed if one for this platform is missing', { packages: withoutForHere }, false],
    [
      'are not installed if one has another version',
      { packages: { ...all, 'node_modules/one': { ...one, version: '1.0.1' } } },
      false,
    ],
    [
      'are not installed if one has the same version with other contents',
      { packages: { ...all, 'node_modules/one': { ...one, integrity: 'sha512-other' } } },
      false,
    ],
    ['are not installed if npm was interrupted before it noted them', undefined, false],
  ])('%s', (_title, noted, expected) => {
    if (noted !== undefined) {
      writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(noted));
    }

    expect(isInstalled(pathToFileURL(`${folder}/`))).toBe(expected);
  });
});
