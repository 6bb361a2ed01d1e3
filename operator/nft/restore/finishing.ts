import { setTimeout } from 'node:timers/promises';
import { finishRestore } from '../../../shared/nft/restored/finish-restore.ts';
import { mintedAfter } from '../../../shared/nft/restored/minted-after.ts';
import { nothingUndecided, undecidedEntries } from '../../../shared/nft/restored/undecided.ts';
import { dynamoDbRestoredEntries } from '../../../shared/nft/store/restored-entries.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { documentsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { counted } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { stageChain } from '../chain/stage-chain.ts';
import { contractsOf, nftsOf } from '../chain/stores.ts';

/**
 * Collects what was pending in the restored tables, and lets it be decided after all tables are copied. Connects to the
 * chain only if something was pending.
 */
export const finishing = (target: Target, output: Output) => {
  const undecided = nothingUndecided();
  let known: ReturnType<typeof stageChain> | undefined;
  const chainOf = () => {
    known ??= stageChain(target, output);
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
      if (isDryRun) {
        const { length } = await undecidedEntries(stage, undecided);
        output.remark(
          `${counted(length, 'transaction that was', 'transactions that were')} pending would get an outcome from the log, or be decided by the waiter.`,
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
      const {
        given,
        undecided: open,
        nonceTaken: taken,
      } = await finishRestore(dependencies, {
        undecided,
        onProgress: (left, what) =>
          progress.show(
            what === 'transaction'
              ? `${counted(left, 'transaction waits', 'transactions wait')} for the waiter`
              : `${counted(left, 'reserved token waits', 'reserved tokens wait')} for the chain`,
          ),
      });
      output.remark(
        `Transactions that were pending: ${given.length} with an outcome, ${open.length} left to the waiter, ${taken.length} whose nonce is taken.`,
      );
      output.remark(`Reserved tokens that are back: ${lost.length}.`);
      if (taken.length > 0) {
        const nonces = taken.map(({ signer, nonce }) => `${nonce} of ${signer}`).join(', ');
        throw new OperatorError({
          message: `The log has other transactions with the nonces of these, so their work cannot be decided: ${nonces}. Their contracts or tokens stay pending: tell the customers to make the requests again.`,
        });
      }
    },
  };
};
