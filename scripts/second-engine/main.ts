import { checkDynamoDbLocal } from './dynamodb-local.ts';
import { checkLambdaRuntime } from './lambda-runtime.ts';

const engines = [
  ['every bundle under aws-lambda-ric, the runtime of Lambda', checkLambdaRuntime],
  ['the integration tests against DynamoDB Local', checkDynamoDbLocal],
] as const;

for (const [name, check] of engines) {
  console.log(`… ${name}`);
  const verdict = await check();
  if ('missing' in verdict) {
    console.log(`- ${name}: not checked. Missing: ${verdict.missing}`);
    process.exitCode = 3;
    continue;
  }
  const { checked, findings } = verdict;
  const isClean = checked > 0 && findings.length === 0;
  console.log(`${isClean ? '✓' : '✗'} ${name}: ${checked - findings.length} of ${checked} passed`);
  for (const finding of findings) console.log(finding.trimEnd().replaceAll(/^/gm, '    '));
  if (!isClean) process.exitCode = 1;
}
