import { setTimeout } from 'node:timers/promises';
import { mintedAfter } from '../../../shared/nft/restored/minted-after.ts';
import { settleReserved } from '../../../shared/nft/restored/settle-reserved.ts';
import { type Settled, settleRestored } from '../../../shared/nft/restored/settle-restored.ts';
import { undecidedEntries } from '../../../shared/nft/restored/undecided-entries.ts';
import { dynamoDbRestoredEntries } from '../../../shared/nft/store/restored-entries.ts';
import { nothingUndecided } from '../../../shared/nft/store/restored-nfts.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { documentsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { counted } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { stageChain } from '../chain/stage-chain.ts';
import { contractsOf, nftsOf } from '../chain/stores.ts';

const describe = (count: number, settled: Settled): string => `${count} ${settled}`;

/**
 * Collects what was pending in the restored tables, and settles it after all tables are restored. Connects to the chain
 * only if something was pending.
 */
export const settling = (target: Target, output: Output) => {
  const undecided = nothingUndecided();
  let known: ReturnType<typeof stageChain> | undefined;
  const chainOf = () => {
    // What was pending may have been done since the restored moment, however long ago it is.
    known ??= stageChain(target, output, { eventBlocksAtMost: Number.POSITIVE_INFINITY });
    return known;
  };
  const wait = async () => {
    await setTimeout(2_000 * stageSettings(target.stage).nft.blockSeconds);
  };

  return {
    context: {
      undecided,
      mintedAfter: (...[key, after]: [Parameters<typeof mintedAfter>[1], number]) =>
        mintedAfter({ ...chainOf(), wait }, key, after),
    },

    finish: async ({
      isDryRun,
      progress,
    }: {
      readonly isDryRun: boolean;
      readonly progress: { show(text: string): void };
    }): Promise<void> => {
      const { reservations: lost } = undecided;
      if (Object.values(undecided).every(({ length }) => length === 0)) return;
      const stage = { ...chainOf(), contracts: contractsOf(target) };
      const entries = await undecidedEntries(stage, undecided);
      if (isDryRun) {
        output.remark(
          `${counted(entries.length, 'transaction that was', 'transactions that were')} pending would be settled with the chain.`,
        );
        output.remark(`${counted(lost.length, 'reserved token')} would come back.`);
        return;
      }
      const dependencies = {
        ...stage,
        nfts: nftsOf(target),
        restoredEntries: dynamoDbRestoredEntries({
          client: documentsOf(target),
          tables: {
            contracts: target.output('ContractsTable'),
            nfts: target.output('NftsTable'),
            transactions: target.output('TransactionsTable'),
            requests: target.output('RequestsTable'),
          },
        }),
        wait,
      };
      const settled = await settleRestored(dependencies, {
        entries,
        onProgress: (left) =>
          progress.show(`${counted(left, 'transaction waits', 'transactions wait')} for the chain`),
      });
      const outcomes = [...settled].map(([outcome, { length }]) => describe(length, outcome));
      output.remark(`Transactions that were pending: ${outcomes.join(', ')}.`);
      await settleReserved(dependencies, {
        lost,
        settled: entries,
        onProgress: (left) =>
          progress.show(`${counted(left, 'reserved token waits', 'reserved tokens wait')} for the chain`),
      });
      output.remark(`Reserved tokens that are back: ${lost.length}.`);
      const taken = settled.get('nonce taken') ?? [];
      if (taken.length > 0) {
        const nonces = taken.map(({ signer, nonce }) => `${nonce} of ${signer}`).join(', ');
        throw new OperatorError({
          message: `The chain does not have the work of these transactions, and it cannot be repeated: ${nonces}. Their contracts or tokens stay pending: tell the customers to make the requests again.`,
        });
      }
    },
  };
};
