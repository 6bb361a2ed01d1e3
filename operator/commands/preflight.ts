import { Command } from 'commander';
import { OperatorError } from '../operator-error.ts';
import { createOutput } from '../output.ts';
import { awsAccount } from '../preflight/account.ts';
import { preflight as examine } from '../preflight/preflight.ts';
import { stageSettings } from '../stage-settings.ts';

export const preflight = (): Command =>
  new Command('preflight')
    .description("check the stage's file and the account's quotas before --stage is deployed")
    .action(async (_, command: Command) => {
      const { stage, json = false } = command.optsWithGlobals<{
        readonly stage: string;
        readonly json?: boolean;
      }>();
      if (stage === 'local')
        throw new OperatorError({ message: 'Which stage? Name one on AWS with --stage.' });
      const output = createOutput({ json });
      const findings = await examine({ account: awsAccount({}) }, { stage: stageSettings(stage) });
      output.rows(
        ['ok', 'check', 'found', 'wanted'],
        findings.map(({ check, ok, found, wanted }) => ({ ok, check, found, wanted })),
      );
      const unknown = findings.filter(({ ok }) => ok === 'unknown').length;
      if (unknown > 0) {
        output.remark(
          `${unknown} of ${findings.length} are unknown: compare them with Service Quotas in the AWS console.`,
        );
      }
      const wrong = findings.filter(({ ok }) => ok === false).length;
      if (wrong > 0) throw new OperatorError({ message: `${wrong} of ${findings.length} checks failed.` });
    });
