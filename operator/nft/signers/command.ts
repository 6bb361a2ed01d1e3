import { Command } from 'commander';
import { formatEther, formatGwei } from 'viem/utils';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { applicationsOf, getApplication, requireCustomer, seenSoon } from '../../platform/target/stores.ts';
import { ageText } from '../../platform/terminal/arguments.ts';
import { part } from '../../platform/terminal/counted.ts';
import { amount, fourDigits, type Shown } from '../../platform/terminal/output.ts';
import { unanswered } from '../chain/if-answered.ts';
import { stageChain } from '../chain/stage-chain.ts';
import { stageSigner } from '../transactions/chosen-signer.ts';
import { assignSigner } from './assign-signer.ts';
import { drainSigner } from './drain-signer.ts';
import { reportSigners, type SignerReport } from './signer-report.ts';

const gweiOf = (wei: bigint | undefined): Shown | undefined =>
  wei === undefined ? undefined : amount(formatGwei(wei));

const rowOf = (report: SignerReport) => ({
  signer: report.number,
  takes: report.isDraining ? 'nothing new' : 'new collections',
  applications: report.applications,
  address: report.address,
  chain: report.chainId,
  balance: report.balance === undefined ? undefined : amount(formatEther(report.balance), 'coins'),
  committed: amount(formatEther(report.committed), 'coins'),
  next_nonce: report.nextNonce,
  mined: report.mined,
  in_flight: report.inFlight,
  undecided: report.undecided,
  oldest_pending:
    report.oldestPending &&
    `nonce ${report.oldestPending.nonce}, ${ageText(Date.now() - report.oldestPending.since)}`,
  base_fee_gwei: gweiOf(report.baseFeePerGas),
  tip_gwei: gweiOf(report.priorityFeePerGas),
});

const drainCommand = () =>
  new Command('drain')
    .description('give a signer no new collections; it keeps serving those that it deployed')
    .argument('<signer>', 'its number or address')
    .action(async (written: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const dependencies = stageChain(target, output);
      const { id, signer } = await stageSigner(dependencies, written);
      await drainSigner(dependencies, id);
      output.fields({ signer: signer.number, id, takes: 'nothing new' });
      output.remark(
        'Its applications use another signer for their next collections. It still mints into the collections that it deployed.',
      );
    });

const resumeCommand = () =>
  new Command('resume')
    .description('let a drained signer deploy new collections again')
    .argument('<signer>', 'its number or address')
    .action(async (written: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const dependencies = stageChain(target, output);
      const { id, signer } = await stageSigner(dependencies, written);
      await dependencies.signers.setDraining({ id, isDraining: false });
      output.fields({ signer: signer.number, id, takes: 'new collections' });
    });

const assignCommand = () =>
  new Command('assign')
    .description("let a signer deploy an application's new collections; existing ones keep their signer")
    .argument('<application>', 'the application')
    .argument('<signer>', 'its number or address')
    .action(async (applicationId: string, written: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const applications = applicationsOf(target);
      const { signer: from } = requireCustomer(await getApplication(applications, applicationId));
      const dependencies = stageChain(target, output);
      const { id, signer } = await stageSigner(dependencies, written);
      await assignSigner({ ...dependencies, applications }, { applicationId, from, to: id });
      output.fields({ application: applicationId, signer: signer.number, id });
      output.remark(seenSoon);
    });

export const signers = (): Command =>
  new Command('signers')
    .description('show the signers: address, balance, transactions in flight, and the present gas price')
    .action(async (_: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const reports = await reportSigners({
        ...stageChain(target, output),
        applications: applicationsOf(target),
      });
      output.rows(
        [
          'signer',
          'takes',
          'applications',
          'address',
          'chain',
          'balance',
          'committed',
          'next_nonce',
          'mined',
          'in_flight',
          'undecided',
          'oldest_pending',
          'base_fee_gwei',
          'tip_gwei',
        ],
        reports.map(rowOf),
      );
      if (reports.some(({ balance }) => balance === undefined)) {
        output.remark(
          unanswered('balances and prices are unknown, and "mined" shows the last count of the waiter'),
        );
      }
      const { endpointFeeCap, feeCeiling, signers } = stageSettings(target.stage).nft;
      const answering = reports.filter(({ number }) => number !== undefined).length;
      if (answering < signers)
        output.remark(`${part(signers - answering, signers, 'signer key')} could not be read from KMS.`);
      const cap =
        endpointFeeCap === undefined
          ? ''
          : `, and up to ${fourDigits(formatEther(endpointFeeCap), 'coins')} for a transaction`;
      output.remark(
        `The stage pays up to ${fourDigits(formatGwei(feeCeiling), 'gwei')} for a unit of gas${cap}.`,
      );
    })
    .addCommand(drainCommand())
    .addCommand(resumeCommand())
    .addCommand(assignCommand());
