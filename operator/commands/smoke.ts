import { Command } from 'commander';
import { operatorOf } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import { withProgress } from '../progress.ts';
import { checksOf } from '../smoke/checks.ts';
import { runChecks } from '../smoke/run-checks.ts';

export const smoke = (): Command =>
  new Command('smoke')
    .description('see that a stage answers as it should: routes, keys, CORS, 404s; changes nothing')
    .option('--api-key <key>', 'of some application, to see as well that keys are admitted')
    .option('--failed', 'show only what is wrong')
    .action(
      async (
        { apiKey, failed = false }: { readonly apiKey?: string; readonly failed?: boolean },
        command: Command,
      ) => {
        const { target, output } = await operatorOf(command);
        const checks = checksOf({
          baseUrl: target.output('BaseUrl'),
          b2bUrl: target.output('ApiUrlB2b'),
          profileUrl: target.output('ApiUrlProfile'),
          apiKey,
        });
        const results = await withProgress((progress) => {
          let done = 0;
          return runChecks(checks, {
            onResult: ({ check }) => {
              done += 1;
              progress.show(`${done} of ${checks.length}: ${check.method} ${check.url}`);
            },
          });
        });
        output.rows(
          ['ok', 'ms', 'check', 'method', 'url', 'fault'],
          results
            .filter(({ faults }) => !failed || faults.length > 0)
            .map(({ check, milliseconds, faults }) => ({
              ok: faults.length === 0,
              check: check.name,
              method: check.method,
              url: check.url,
              ms: milliseconds,
              fault: faults.length === 0 ? undefined : faults.join('; '),
            })),
        );
        const wrong = results.filter(({ faults }) => faults.length > 0);
        output.remark(`${results.length - wrong.length} of ${results.length} are as they should be.`);
        if (wrong.length > 0) {
          throw new OperatorError({ message: `${wrong.length} of ${results.length} checks failed.` });
        }
      },
    );
