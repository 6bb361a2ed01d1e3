import { Command } from 'commander';
import { operatorOf } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import { withProgress } from '../progress.ts';
import type { CheckResult } from '../smoke/check-result.ts';
import { checksOf } from '../smoke/checks.ts';
import { protectionOf } from '../smoke/protection.ts';
import { runChecks } from '../smoke/run-checks.ts';
import { stageSettings } from '../stage-settings.ts';

interface SmokeOptions {
  readonly apiKey?: string;
  readonly failed?: boolean;
}

export const smoke = (): Command =>
  new Command('smoke')
    .description(
      'see that a stage answers as it should: routes, keys, CORS, 404s, protection; changes nothing',
    )
    .option('--api-key <key>', 'of some application, to see as well that keys are admitted')
    .option('--failed', 'show only what is wrong')
    .action(async ({ apiKey, failed = false }: SmokeOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const checks = checksOf({
        baseUrl: target.output('BaseUrl'),
        b2bUrl: target.output('ApiUrlB2b'),
        profileUrl: target.output('ApiUrlProfile'),
        apiKey,
      });
      const answers = await withProgress((progress) => {
        let done = 0;
        return runChecks(checks, {
          onResult: ({ check }) => {
            done += 1;
            progress.show(`${done} of ${checks.length}: ${check.method} ${check.url}`);
          },
        });
      });
      const results: CheckResult[] = [...answers, protectionOf(target, stageSettings(target.stage))];
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
    });
