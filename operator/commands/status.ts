import { Command } from 'commander';
import { ageText } from '../arguments.ts';
import { unanswered } from '../nft/if-answered.ts';
import { stageReader } from '../now/stage-now.ts';
import { operatorOf } from '../operator.ts';

type SignerFields = Awaited<ReturnType<ReturnType<typeof stageReader>['signers']>>[number];

/** The worst first: a signer without coins refuses everything, and its pending transactions wait. */
const stateOf = ({ funds, stuck, gaps }: SignerFields): string => {
  if (funds === 'none') return 'no funds';
  if (stuck) return 'stuck';
  if (gaps > 0) return 'gap';
  if (funds === undefined) return 'funds unknown';
  return funds === 'low' ? 'low funds' : 'OK';
};

export const status = (): Command =>
  new Command('status')
    .description("show the stage's present state: queues, notifications, services and active alarms")
    .action(async (_: unknown, command: Command) => {
      const { target, output, isJson } = await operatorOf(command);
      const reader = stageReader(target, output);
      const [signers, { customers, failing, ...notifications }, { outside, calls }, alarms] =
        await Promise.all([reader.signers(), reader.notifications(), reader.services(), reader.alarms()]);
      if (isJson) {
        output.record({
          stage: target.stage,
          signers,
          notifications: { ...notifications, customers, failing },
          outside,
          calls,
          alarms,
        });
        return;
      }
      output.record({
        ...notifications,
        signers: signers.map((signer) => ({
          signer: signer.signer,
          state: stateOf(signer),
          head: signer.head_nonce,
          age: signer.head_age_seconds === undefined ? undefined : ageText(signer.head_age_seconds * 1_000),
          fee:
            signer.head_fee_gwei &&
            `${Number(Number(signer.head_fee_gwei).toPrecision(4))} of ${signer.fee_ceiling_gwei} gwei`,
          mined: signer.mined,
          in_flight: signer.in_flight,
          waiting: signer.waiting,
          gaps: signer.gaps,
          balance: signer.balance === undefined ? undefined : Math.floor(Number(signer.balance) * 100) / 100,
          days_left: (signer.funds_days ?? 0) > 1_000 ? 'many' : signer.funds_days,
        })),
        calls_in_5_minutes: calls,
        outside_services_in_5_minutes: outside,
        customers,
        failing_endpoints: failing,
        alarms,
      });
      if (signers.some(({ balance }) => balance === undefined)) {
        output.remark(unanswered('balances are unknown'));
      }
      output.remark(alarms.length === 0 ? 'No alarm is on.' : 'What to do is in docs/runbook.md.');
    });
