import { Command } from 'commander';
import { ageText } from '../arguments.ts';
import { unanswered } from '../nft/if-answered.ts';
import { stageReader } from '../now/stage-now.ts';
import { type Part, type Verdict, verdictOf } from '../now/verdict.ts';
import { operatorOf } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import { amount, type Output, Shown } from '../output.ts';

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

const showVerdict = (output: Output, { summary, problems, ending }: Verdict, now: number): void => {
  const at = new Date(now).toLocaleTimeString('en-GB');
  output.bare(`${summary}, as of ${at}${problems.length === 0 ? ' (everything read)' : ''}`);
  for (const [index, { what, meaning, since, runbook, command }] of problems.entries()) {
    const age = since === undefined ? '' : ` (${ageText(now - Date.parse(since))})`;
    output.bare('');
    output.bare(`${index + 1}. ${what}${age}: ${meaning}`);
    output.bare(`   ${command}`);
    if (runbook !== undefined) output.bare(`   docs/runbook.md#${runbook}`);
  }
  for (const alarm of ending)
    output.bare(`${alarm} is still on although its cause is gone; it ends by itself.`);
};

type Reader = ReturnType<typeof stageReader>;
type Reading<Panel extends Part> = Awaited<ReturnType<Reader[Panel]>>;

const showDetails = (
  output: Output,
  {
    signers,
    notified,
    served,
    told,
  }: {
    readonly signers: Reading<'signers'>;
    readonly notified: Reading<'notifications'> | undefined;
    readonly served: Reading<'services'> | undefined;
    readonly told: Reading<'alarms'> | undefined;
  },
): void => {
  const { customers, failing, ...notifications } = notified ?? {};
  output.record({
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
      const reader = stageReader(target, output);
      const failures: Partial<Record<Part, string>> = {};
      const read = async <Reading>(part: Part, reading: Promise<Reading>): Promise<Reading | undefined> => {
        try {
          return await reading;
        } catch (error) {
          failures[part] = error instanceof Error ? error.message : String(error);
          return undefined;
        }
      };
      const [signers = [], notified, served, told] = await Promise.all([
        read('signers', reader.signers()),
        read('notifications', reader.notifications()),
        read('services', reader.services()),
        read('alarms', reader.alarms()),
      ]);
      const now = Date.now();
      const verdict = verdictOf(
        {
          signers: failures.signers === undefined ? signers : undefined,
          notifications: notified,
          services: served,
          alarms: told,
          failures,
        },
        { now, command: (words) => target.command(words) },
      );
      const unread = Object.values(failures);
      if (isJson) {
        output.record({
          stage: target.stage,
          verdict,
          signers,
          notifications: notified,
          outside: served?.outside,
          calls: served?.calls,
          ...told,
        });
      } else {
        showVerdict(output, verdict, now);
        output.bare('');
        showDetails(output, { signers, notified, served, told });
      }
      if (unread.length > 0) throw new OperatorError({ message: unread.join('\n') });
    });
