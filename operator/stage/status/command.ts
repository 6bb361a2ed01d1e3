import { Command } from 'commander';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { unanswered } from '../../nft/chain/if-answered.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { ageText } from '../../platform/terminal/arguments.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { amount, type Output, Shown } from '../../platform/terminal/output.ts';
import { readMoment, type StageMoment } from './moment.ts';
import { signersOf, stageReader } from './stage-now.ts';
import { type Readings, sentenceEnd } from './verdict.ts';

type SignerFields = Awaited<ReturnType<ReturnType<typeof stageReader>['signers']>>[number];

/**
 * The worst of the states that apply. `no funds` is the worst, because a signer without coins accepts no requests and
 * its pending transactions wait.
 */
const stateOf = ({ funds, stuck, gaps }: SignerFields): string => {
  if (funds === 'none') return 'no funds';
  if (stuck) return 'stuck';
  if (gaps > 0) return 'gap';
  if (funds === undefined) return 'funds unknown';
  return funds === 'low' ? 'low funds' : 'OK';
};

/** The verdict as text. */
export const verdictLines = ({ at, verdict }: Pick<StageMoment, 'at' | 'verdict'>): string[] => {
  const { summary, problems, ending, unknown } = verdict;
  const time = new Date(at).toLocaleTimeString('en-GB');
  return [
    `${summary}, as of ${time}${problems.length === 0 ? ' (everything read)' : ''}`,
    ...problems.flatMap(({ what, meaning, since, runbook, command }, index) => {
      const age = since === undefined ? '' : ` for ${ageText(at - Date.parse(since))}`;
      return [
        '',
        `${index + 1}. ${what}${age}${sentenceEnd(meaning)}`,
        ...(command === undefined ? [] : [`   ${command}`]),
        ...(runbook === undefined ? [] : [`   docs/runbook.md#${runbook}`]),
      ];
    }),
    ...ending.map((alarm) => `${alarm} is still on although its cause is gone; it ends by itself.`),
    ...(unknown === undefined ? [] : [unknown]),
  ];
};

const showDetails = (
  output: Output,
  { signers = [], notifications: notified, services: served, alarms: told }: Readings,
): void => {
  const { customers, failing, ...notifications } = notified ?? {};
  output.fields({
    ...notifications,
    alarms_on: told?.alarms.length,
    alarms_not_evaluated: told?.not_evaluated.length,
    signers: signers.map((signer) => ({
      signer: signer.signer,
      state: stateOf(signer),
      head: signer.head_nonce,
      age: signer.head_age_seconds === undefined ? undefined : ageText(signer.head_age_seconds * 1_000),
      fee_gwei: signer.head_fee_gwei && amount(signer.head_fee_gwei),
      mined_not_final: signer.mined_not_final,
      in_flight: signer.in_flight,
      waiting: signer.waiting,
      gaps: signer.gaps,
      coins: signer.balance && amount(signer.balance),
      days_left:
        (signer.funds_days ?? 0) > 1_000
          ? new Shown(signer.funds_days, { text: 'many', isNumber: true })
          : signer.funds_days,
    })),
    calls_in_5_minutes: served?.calls,
    outside_services_in_5_minutes: served?.outside,
    ...(served?.busy_editors.length !== 0 && { busy_editors: served?.busy_editors }),
    ...(customers?.length !== 0 && { customers }),
    ...(failing?.length !== 0 && { failing_endpoints: failing }),
    ...(told?.alarms.length !== 0 && { alarms: told?.alarms }),
  });
  if (signers.some(({ balance }) => balance === undefined)) {
    output.remark(unanswered('balances are unknown'));
  }
};

export const status = (): Command =>
  new Command('status')
    .description("show the stage's present state: queues, notifications, services and active alarms")
    .action(async (_: unknown, command: Command) => {
      const { target, output, isJson } = await operatorOf(command);
      const moment = await readMoment(stageReader(target, output), {
        clock: systemClock,
        signers: signersOf(target),
        command: (words) => target.command(words),
      });
      const { readings, verdict } = moment;
      const { signers = [], notifications, services: served, alarms: told, failures } = readings;
      const unread = Object.values(failures);
      if (isJson) {
        output.fields({
          stage: target.stage,
          verdict,
          signers,
          notifications,
          outside: served?.outside,
          calls: served?.calls,
          busy_editors: served?.busy_editors,
          ...told,
        });
      } else {
        for (const line of verdictLines(moment)) output.bare(line);
        output.bare('');
        showDetails(output, readings);
      }
      if (unread.length > 0) throw new OperatorError({ message: unread.join('\n') });
    });
