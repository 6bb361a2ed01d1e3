import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build, transform } from 'esbuild';
import { oldestBrowsers } from '../../../local/oldest-browsers.ts';
import { chainBundle, ownScripts } from '../../../local/player/pages.ts';
import newer from '../../../test/support/ott/browsers/newer-features.json' with { type: 'json' };
import { outside } from './outside.ts';
import type { Verdict } from './verdict.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const programs = fileURLToPath(new URL('programs/browsers', import.meta.url));
const tools = [
  '@mdn/browser-compat-data@8.1.9',
  'eslint@9.39.5',
  'eslint-plugin-compat@7.0.1',
  'eslint-plugin-es-x@9.7.0',
];

/** Only these files of the packed client are for servers alone. */
const ofServers = ['notifications.js', 'sns-signature.js'];

const pageScripts = {
  player: ownScripts.map((name) => join(root, 'local/player', `${name}.js`)),
  example: [join(root, 'examples/page/page.js')],
};

/**
 * hls.js goes on without `crypto.randomUUID`, and older browsers ignore the cause of an error. The script with viem brings
 * `Object.hasOwn` along.
 */
const harmless =
  /^(hls\.js|player chain\.js), line \d+: (Crypto\.randomUUID\(\) is not|ES2022 Error Cause is|ES2022 'Object\.hasOwn' method is|Object\.hasOwn\(\) is not)/;

/** The scripts to judge: the packed client as it is, also bundled for the oldest browsers, and the pages as served. */
const scriptsIn = async (work: string): Promise<Record<'es2020' | 'es2019', [string, string][]>> => {
  const packed = await outside(
    'npm',
    ['pack', '--workspace', 'packages/client', '--pack-destination', work],
    {
      cwd: root,
    },
  );
  if (!packed.ok) throw new Error(packed.output);
  const [tarball = ''] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
  const unpacked = await outside('tar', ['-xzf', tarball], { cwd: work });
  if (!unpacked.ok) throw new Error(unpacked.output);
  const dist = join(work, 'package/dist');
  const files = readdirSync(dist).filter((name) => name.endsWith('.js') && !ofServers.includes(name));
  const bundle = join(work, 'bundle.js');
  await build({
    stdin: { contents: "export * from './package/dist/index.js';", resolveDir: work },
    nodePaths: [join(root, 'node_modules')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: oldestBrowsers,
    outfile: bundle,
  });
  const pages: [string, string][] = [];
  for (const [page, sources] of Object.entries(pageScripts)) {
    for (const source of sources) {
      const { code } = await transform(readFileSync(source, 'utf8'), { target: oldestBrowsers });
      const name = `${page} ${source.split('/').at(-1)}`;
      const file = join(work, `${name}.js`);
      writeFileSync(file, code);
      pages.push([name, file]);
    }
  }
  const chain = join(work, 'chain.js');
  await build({ ...chainBundle, outfile: chain });
  const hls = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');
  return {
    es2020: [
      ...files.map((name): [string, string] => [`@marquee/client ${name}`, join(dist, name)]),
      ['player chain.js', chain],
    ],
    es2019: [['@marquee/client in a bundle', bundle], ...pages, ['hls.js', hls]],
  };
};

/**
 * Judges by linters of others whether the packed client and the pages use only what the oldest browsers have, and
 * compares the list with which the tests remove newer features with MDN's data.
 */
export const checkBrowsers = async (): Promise<Verdict> => {
  const work = mkdtempSync(join(tmpdir(), 'marquee-browsers-'));
  try {
    const fetched = await outside('npm', ['install', '--no-audit', '--no-fund', '--prefix', work, ...tools]);
    if (!fetched.ok) return { missing: `${tools.join(', ')}, which npm downloads: ${fetched.output}` };
    cpSync(programs, work, { recursive: true });
    const listed = await outside(process.execPath, [join(work, 'newer-features.mjs')]);
    const isListed = listed.ok && isDeepStrictEqual(JSON.parse(listed.output), newer);
    const findings = isListed
      ? []
      : [`test/support/ott/browsers/newer-features.json is not MDN's list: ${listed.output.slice(0, 200)}`];
    const scripts = await scriptsIn(work);
    for (const [language, browsers, files] of [
      [2020, ['chrome 87', 'safari 15.4'], scripts.es2020],
      [2019, ['chrome 76', 'safari 15.4'], scripts.es2019],
    ] as const) {
      const order = JSON.stringify({ language, browsers, files });
      const linted = await outside(process.execPath, [join(work, 'lint.mjs'), order]);
      const found: readonly string[] = linted.ok ? JSON.parse(linted.output) : [linted.output];
      findings.push(...found.filter((finding) => !harmless.test(finding)));
    }
    return { checked: 1 + scripts.es2020.length + scripts.es2019.length, findings };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
