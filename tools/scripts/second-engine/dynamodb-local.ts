import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { run } from '../check/command.ts';
import { outside } from './outside.ts';
import { cacheDirectory, type Verdict } from './verdict.ts';

const jars = join(cacheDirectory, 'dynamodb-local-3.3.1');

const report = z.object({
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

export const checkDynamoDbLocal = async (): Promise<Verdict> => {
  const java = await outside('java', ['-version']);
  if (!java.ok) return { missing: `Java: ${java.output}` };
  const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
  const maven = await outside('mvn', [
    '--batch-mode',
    '--quiet',
    `--file=${pom}`,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${jars}`,
  ]);
  if (!maven.ok) return { missing: `Maven, or the packages that it downloads: ${maven.output}` };

  return integrationTests({ name: 'dynamodb-local', environment: { DYNAMODB_LOCAL: jars } });
};

/** The simulator's store has no streams and no segments of a scan, and counts no capacity. These tests ask for them. */
const beyondTheStore = [
  'later release',
  'release before',
  'write units',
  'that dies (before|after) .* and is repeated',
  'restored while customers mint',
  'a restore (writes|brings)',
  'the stream of the catalogue',
].join('|');

/** The simulator's store judges the expressions of the adapters as DynamoDB does, refusals included. */
export const checkSimulatedStore = (): Promise<Verdict> =>
  integrationTests({
    name: 'simulated-store',
    environment: { SIMULATED_STORE: '1' },
    parameters: [`--testNamePattern=^(?!.*(${beyondTheStore}))`],
  });

const integrationTests = async ({
  name,
  environment,
  parameters = [],
}: {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly parameters?: readonly string[];
}): Promise<Verdict> => {
  const file = join(cacheDirectory, `${name}-report.json`);
  rmSync(file, { force: true });
  const { output } = await run({
    program: 'vitest',
    parameters: [
      'run',
      '--project=integration',
      'test/integration',
      '--reporter=json',
      `--outputFile=${file}`,
      ...parameters,
    ],
    environment,
  });
  if (!existsSync(file)) return { checked: 0, findings: [output] };
  const { numTotalTests, testResults } = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failed = testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message === '' || assertionResults.some(({ status }) => status === 'failed')
      ? []
      : [`${name}: ${message}`]),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`),
  ]);
  return { checked: numTotalTests, findings: failed };
};
