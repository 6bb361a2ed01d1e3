import { checkAssemblies } from './check/assemblies.ts';
import { type Findings, run } from './check/command.ts';
import { checkOrderOfAreas } from './check/order-of-areas.ts';
import { checkSupplyChain } from './check/supply-chain.ts';

const command = async (
  program: string,
  parameters: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Findings> => {
  const { exitCode, output } = await run({ program, parameters, environment });
  return exitCode === 0 ? [] : [output];
};

/** `tsc` is a Go program that ends with some 2 GB in use. Below 3 GB it collects no garbage: a third less CPU. */
const withoutCollections = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

/** The checks of `npm run check`. Those that find the most mistakes in the least time come first. */
const checks: ReadonlyArray<readonly [name: string, check: () => Promise<Findings>]> = [
  [
    'format, lint and direction of imports',
    () => command('biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
  ],
  ['the order of areas', checkOrderOfAreas],
  ['types', () => command('tsc', [], withoutCollections)],
  ['the OpenAPI document', () => command('redocly', ['lint', '--format=stylish', 'docs/openapi.json'])],
  ['dead code and unused dependencies', () => command('knip')],
  ['code that only tests use', () => command('knip', ['--production', '--no-tag-hints'])],
  ['hashes of packages and actions', checkSupplyChain],
  ['synthesis and bundles of every stage', checkAssemblies],
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !checks.some(([known]) => known === name));
if (unknown.length > 0) {
  const names = checks.map(([name]) => `  ${name}`).join('\n');
  console.error(`No check is named ${unknown.join(', ')}. The checks are:\n${names}`);
  process.exit(2);
}
const chosen = asked.length === 0 ? checks : checks.filter(([name]) => asked.includes(name));

let failed = 0;
for (const [name, check] of chosen) {
  const startedAt = performance.now();
  const findings = await check();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${findings.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  for (const finding of findings) {
    console.log(finding.trimEnd().replaceAll(/^/gm, '    '));
  }
  failed += findings.length === 0 ? 0 : 1;
}
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${chosen.length} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
