import { checkAssemblies } from './check/assemblies.ts';
import { type Findings, run } from './check/command.ts';
import { checkOrderOfAreas } from './check/order-of-areas.ts';
import { checkSupplyChain } from './check/supply-chain.ts';

const command = async (program: string, ...parameters: string[]): Promise<Findings> => {
  const { exitCode, output } = await run({ program, parameters });
  return exitCode === 0 ? [] : [output];
};

/** The checks of `npm run check`. Those that find the most mistakes in the least time come first. */
const checks: ReadonlyArray<readonly [name: string, check: () => Promise<Findings>]> = [
  [
    'format, lint and direction of imports',
    () => command('biome', 'ci', '--colors=off', '--error-on-warnings', '.'),
  ],
  ['the order of areas', checkOrderOfAreas],
  // Several checkers would each compute most types again: four take three times the CPU of one.
  ['types', () => command('tsc', '--checkers', '1')],
  ['the OpenAPI document', () => command('redocly', 'lint', '--format=stylish', 'docs/openapi.json')],
  ['dead code and unused dependencies', () => command('knip')],
  ['code that only tests use', () => command('knip', '--production', '--no-tag-hints')],
  ['hashes of packages and actions', checkSupplyChain],
  ['synthesis and bundles of every stage', checkAssemblies],
];

let failed = 0;
for (const [name, check] of checks) {
  const startedAt = performance.now();
  const findings = await check();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${findings.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  for (const finding of findings) {
    console.log(finding.trimEnd().replaceAll(/^/gm, '    '));
  }
  failed += findings.length === 0 ? 0 : 1;
}
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${checks.length} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
