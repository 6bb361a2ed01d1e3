import { inspect } from 'node:util';
import { type System, startSystem } from '../../test/support/system.ts';
import { checkAwsLines } from './aws-lines.ts';
import { checkDynamoDbLocal } from './dynamodb-local.ts';
import { generatedClients } from './generated-clients.ts';
import { checkLambdaRuntime } from './lambda-runtime.ts';
import type { Verdict } from './verdict.ts';

let system: Promise<System> | undefined;
const started = (): Promise<System> => {
  system ??= startSystem();
  return system;
};
const engines = [
  ['every bundle under aws-lambda-ric, the runtime of Lambda', checkLambdaRuntime],
  ['the integration tests against DynamoDB Local', checkDynamoDbLocal],
  ['the `aws` lines of the guide and the runbook in the AWS command line', () => checkAwsLines(started)],
  ...generatedClients(started),
] as const;

/** Parts of the names of the checks to run. @default all */
const asked = process.argv.slice(2);
const isAsked = (name: string) => asked.length === 0 || asked.some((part) => name.includes(part));
for (const part of asked.filter((each) => !engines.some(([name]) => name.includes(each)))) {
  console.log(
    `There is no check called ${part}. The checks are:\n${engines.map(([name]) => name).join('\n')}`,
  );
  process.exit(2);
}

for (const [name, check] of engines.filter(([each]) => isAsked(each))) {
  console.log(`… ${name}`);
  // An engine that fails before it can check anything must not hide what the others find.
  const verdict = await check().catch(
    (error: unknown): Verdict => ({ checked: 0, findings: [inspect(error)] }),
  );
  if ('missing' in verdict) {
    console.log(`- ${name}: not checked. Missing: ${verdict.missing}`);
    process.exitCode ??= 3;
    continue;
  }
  const { checked, findings } = verdict;
  const isClean = checked > 0 && findings.length === 0;
  const passed = Math.max(0, checked - findings.length);
  console.log(`${isClean ? '✓' : '✗'} ${name}: ${passed} of ${checked} passed`);
  for (const finding of findings) console.log(finding.trimEnd().replaceAll(/^/gm, '    '));
  if (!isClean) process.exitCode = 1;
}
await (await system?.catch(() => undefined))?.dispose();
