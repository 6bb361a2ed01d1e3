import { Command } from 'commander';
import { formatEther, formatGwei } from 'viem/utils';
import { ageText } from '../arguments.ts';
import { stageChain } from '../nft/stage-chain.ts';
import { operatorOf } from '../operator.ts';
import { reportSigners, type SignerReport } from '../signers/signer-report.ts';
import { stageSettings } from '../stage-settings.ts';

const rowOf = (report: SignerReport) => ({
  address: report.address,
  chain: report.chainId,
  balance: formatEther(report.balance),
  committed: formatEther(report.committed),
  next_nonce: report.nextNonce,
  mined: report.mined,
  in_flight: report.inFlight,
  undecided: report.undecided,
  oldest_pending:
    report.oldestPending &&
    `nonce ${report.oldestPending.nonce}, ${ageText(Date.now() - report.oldestPending.since)}`,
  base_fee_gwei: formatGwei(report.baseFeePerGas),
  tip_gwei: formatGwei(report.priorityFeePerGas),
});

export const signers = (): Command =>
  new Command('signers')
    .description('the accounts that sign: address, balance, what is in flight, and the price of gas now')
    .action(async (_: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const reports = await reportSigners(stageChain(target, output));
      output.rows(
        [
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
      const { feeCeiling } = stageSettings(target.stage).nft;
      output.remark(`The stage pays up to ${formatGwei(feeCeiling)} gwei a gas.`);
    });
