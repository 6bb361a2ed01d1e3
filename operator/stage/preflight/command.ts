import { Command } from 'commander';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { findTarget } from '../../platform/target/target.ts';
import { positiveInteger } from '../../platform/terminal/arguments.ts';
import { part } from '../../platform/terminal/counted.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';
import { createOutput } from '../../platform/terminal/output.ts';
import { defaultLimits, limitsOf } from '../scale/account-limits.ts';
import { countedUnits } from '../scale/counted-units.ts';
import { type Load, percent, shareAtMost, shareRow, sharesOf } from '../scale/limits.ts';
import { awsAccount } from './account.ts';
import { apiDocuments } from './api-documents.ts';
import { findMintLimits } from './mint-costs.ts';
import { preflight as examine } from './preflight.ts';
import { servedAddresses } from './served-addresses.ts';

export const preflight = (): Command =>
  new Command('preflight')
    .description(
      "check the stage's file and the account's quotas before a deployment, or show what share of each limit a load uses",
    )
    .option('--mints <a second>', 'show what share of each limit is used by this many mints', positiveInteger)
    .option(
      '--changes <a second>',
      'show what share of each limit is used by this many changes of user data',
      positiveInteger,
    )
    .option(
      '--events <a second>',
      'show what share of each limit is used by this many changes of events, by editors and imports',
      positiveInteger,
    )
    .option(
      '--lists <a second>',
      'show what share of each limit is used by this many lists of OTT events',
      positiveInteger,
    )
    .option(
      '--viewers <at once>',
      'show what share of each limit is used by this many concurrent viewers',
      positiveInteger,
    )
    .option(
      '--applications <number>',
      'how many applications are notified of each change and then read it',
      positiveInteger,
      5,
    )
    .option(
      '--no-import',
      'change nothing in the account: do not ask API Gateway to import the documents of the APIs into an API that is deleted at once',
    )
    .action(async (_, command: Command) => {
      const {
        stage,
        json = false,
        import: importsDocuments,
        ...wanted
      } = command.optsWithGlobals<
        Partial<Load> & {
          readonly stage: string;
          readonly json?: boolean;
          readonly import: boolean;
          readonly applications: number;
        }
      >();
      const output = createOutput({ json });
      const { mints, changes, events, lists, viewers, applications } = wanted;
      const isLoad = [mints, changes, events, lists, viewers].some((each) => each !== undefined);
      if (stage === 'local' && !isLoad) {
        throw new UsageError({
          message:
            'The checks compare a stage’s file with an AWS account: name the stage with --stage. For the shares of limits that a load uses, no AWS account is necessary: --mints, --changes, --events, --lists or --viewers.',
        });
      }
      if (isLoad) {
        const load = {
          mints: mints ?? 0,
          changes: changes ?? 0,
          events: events ?? 0,
          lists: lists ?? 0,
          viewers: viewers ?? 0,
        };
        const { limits, remark } =
          stage === 'local' ? defaultLimits('no stage is named') : await limitsOf(awsAccount({}));
        output.remark(
          stage === 'local'
            ? 'No stage is named, so the settings are those of config/local.ts. Name a stage with --stage; it need not be deployed.'
            : `The settings are those of config/${stage}.ts.`,
        );
        output.remark(remark);
        const shares = sharesOf(
          { ...load, applications },
          { stage: stageSettings(stage), account: limits, units: countedUnits() },
        );
        output.rows(['limit', 'share', 'takes', 'of', 'means', 'moves'], shares.map(shareRow));
        const unknown = shares.filter(({ share }) => share === undefined).length;
        if (unknown > 0)
          output.remark(
            `${part(unknown, shares.length, 'limit')} ${unknown === 1 ? 'is' : 'are'} unknown: ask the providers that set them.`,
          );
        const over = shares.filter(({ share = 0 }) => share > shareAtMost).length;
        if (over > 0) {
          throw new OperatorError({
            message: `This load uses more than ${percent(shareAtMost)} of the limit for ${part(over, shares.length, 'limit')}.`,
          });
        }
        return;
      }
      const findings = await examine(
        {
          account: awsAccount({}),
          documents: importsDocuments ? apiDocuments : undefined,
          addresses: servedAddresses((name) => findTarget({ stage: name })),
          applications: findMintLimits((name) => findTarget({ stage: name })),
        },
        { stage: stageSettings(stage) },
      );
      output.rows(
        ['ok', 'check', 'found', 'wanted'],
        findings.map(({ check, ok, found, wanted }) => ({ ok, check, found, wanted })),
      );
      const unknown = findings.filter(({ ok }) => ok === 'unknown').length;
      if (unknown > 0) {
        output.remark(
          `${part(unknown, findings.length, 'value')} ${unknown === 1 ? 'is' : 'are'} unknown: the column \`found\` says why.`,
        );
      }
      const warnings = findings.filter(({ ok }) => ok === 'warning').length;
      if (warnings > 0) {
        output.remark(
          `${part(warnings, findings.length, 'check')} failed, but ${warnings === 1 ? 'does' : 'do'} not prevent a deployment.`,
        );
      }
      const wrong = findings.filter(({ ok }) => ok === false).length;
      if (wrong > 0) throw new OperatorError({ message: `${part(wrong, findings.length, 'check')} failed.` });
    });
