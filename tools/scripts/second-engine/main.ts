import { inspect } from 'node:util';
import { type System, startSystem } from '../../../test/support/platform/system.ts';
import { checkAdoption } from './adoption.ts';
import { checkAwsLines } from './aws-lines.ts';
import { checkBrowsers } from './browsers.ts';
import { checkCustomerQueue } from './customer-queue.ts';
import { checkDynamoDbLocal, checkSimulatedStore } from './dynamodb-local.ts';
import { generatedClients } from './generated-clients.ts';
import { checkLambdaRuntime } from './lambda-runtime.ts';
import { checkReceivers } from './receivers.ts';
import type { Verdict } from './verdict.ts';
import { checkWorkflows } from './workflows.ts';

let system: Promise<System> | undefined;
const started = (): Promise<System> => {
  system ??= startSystem();
  return system;
};
/** Each check with its name on the command line and its title. */
const engines = [
  ['lambda', 'every bundle under aws-lambda-ric, the runtime of Lambda', checkLambdaRuntime],
  ['dynamodb', 'the integration tests against DynamoDB Local', checkDynamoDbLocal],
  ['store', 'the integration tests against the store of the simulator', checkSimulatedStore],
  [
    'aws',
    'the `aws` lines of the guide and the runbook in the AWS command line',
    () => checkAwsLines(started),
  ],
  [
    'queue',
    'the commands of the customer guide for a queue in the AWS command line',
    () => checkCustomerQueue(started),
  ],
  [
    'receivers',
    'receivers of notifications, also in Python and with libraries of others, over HTTPS',
    () => checkReceivers(started),
  ],
  ['browsers', 'the packed client and the pages by linters for browsers of 2021', checkBrowsers],
  ['adoption', 'the template of the retained resources in cfn-lint', checkAdoption],
  ['workflows', 'the workflows in actionlint and zizmor', checkWorkflows],
  ...generatedClients(started),
] as const;

/** The names of the checks to run. @default all */
const asked = process.argv.slice(2);
for (const unknown of asked.filter((each) => !engines.some(([name]) => name === each))) {
  const checks = engines.map(([name, title]) => `${name}: ${title}`).join('\n');
  console.log(`There is no check called ${unknown}. The checks are:\n${checks}`);
  process.exit(2);
}

for (const [, title, check] of engines.filter(([name]) => asked.length === 0 || asked.includes(name))) {
  console.log(`… ${title}`);
  // An engine that fails before it can check anything must not hide what the others find.
  const verdict = await check().catch(
    (error: unknown): Verdict => ({ checked: 0, findings: [inspect(error)] }),
  );
  if ('missing' in verdict) {
    console.log(`- ${title}: not checked. Missing: ${verdict.missing}`);
    process.exitCode ??= 3;
    continue;
  }
  const { checked, findings } = verdict;
  const isClean = checked > 0 && findings.length === 0;
  const passed = Math.max(0, checked - findings.length);
  console.log(`${isClean ? '✓' : '✗'} ${title}: ${passed} of ${checked} passed`);
  for (const finding of findings) console.log(finding.trimEnd().replaceAll(/^/gm, '    '));
  if (!isClean) process.exitCode = 1;
}
await (await system?.catch(() => undefined))?.dispose();
