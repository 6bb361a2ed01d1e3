import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { unlessUnavailable } from '../../../shared/chain/unless-unavailable.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import type { SignerState, Signers } from '../../../shared/nft/ports/signers.ts';
import type { SignerId } from '../../../shared/nft/transactions/entry.ts';
import {
  type Differing,
  differingFromChain,
  type EnsureWaiterDependencies,
  ensureWaiter,
  hasUnfinishedWork,
} from '../../../shared/nft/waiter/ensure-waiter.ts';
import { type MeasureStageDependencies, measureStage } from '../../../shared/nft/waiter/stage-measures.ts';
import type { Logger } from '../../../shared/platform/logger.ts';

export type Dependencies = EnsureWaiterDependencies &
  MeasureStageDependencies & {
    readonly chain: Pick<Chain, 'chainId' | 'minedCounts'>;
    readonly signers: Pick<Signers, 'list'>;
    /** Returns the signer whose log entry changed, from a record of the transaction log's stream. */
    readonly signerInRecord: (record: unknown) => SignerId;
    readonly logger: Logger;
  };

/**
 * Makes sure that a waiter is running for each signer with work. For a batch of stream records, checks only the signers
 * in these records. On schedule, checks all signers with unfinished work, and all signers whose transactions on the
 * chain differ from those in the log. Then it measures the stage. A run without a measurement raises the same alarm as
 * a schedule that does not run.
 */
export const watchSignersHandler = ({ signerInRecord, ...dependencies }: Dependencies) => {
  const { logger } = dependencies;
  const watchBatch = async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const signers = Records.map(signerInRecord);
    const unwatched = new Set<string>();
    for (const signer of new Set(signers)) {
      try {
        await ensureWaiter(dependencies, signer);
      } catch (error) {
        logger.error('Could not make sure that a signer has a waiter', { signer, error });
        unwatched.add(signer);
      }
    }
    // Lambda retries the batch from the first failed record on. The signers of later records may already have a waiter,
    // but checking them again does no harm.
    const failed = Records.find((_, index) => unwatched.has(signers[index] ?? ''));
    // With an empty identifier, Lambda retries the whole batch.
    const itemIdentifier = failed?.dynamodb?.SequenceNumber ?? '';
    return { batchItemFailures: failed === undefined ? [] : [{ itemIdentifier }] };
  };

  /** Compares only signers without unfinished work with the chain: a running waiter notices a difference by itself. */
  const differing = (idle: readonly SignerState[]): Promise<Differing[]> =>
    unlessUnavailable(
      () => differingFromChain(dependencies, idle),
      (error) => {
        logger.warn('No RPC endpoint tells how many transactions of the signers are on the chain', { error });
        return [];
      },
    );

  const watchAll = async (): Promise<void> => {
    const states = await dependencies.signers.list();
    const failures: unknown[] = [];
    const watch = async (some: readonly SignerState[]): Promise<void> => {
      for (const { id } of some) {
        try {
          await ensureWaiter(dependencies, id);
        } catch (error) {
          logger.error('Could not make sure that a signer has a waiter', { signer: id, error });
          failures.push(error);
        }
      }
    };
    await watch(states.filter(hasUnfinishedWork));
    const changed = await differing(states.filter((state) => !hasUnfinishedWork(state)));
    for (const { id, finalizedCount, difference } of changed) {
      logger.warn('The chain has other transactions of a signer than the log', {
        signer: id,
        finalizedCount,
        difference,
      });
    }
    await watch(changed);
    try {
      await measureStage(dependencies, states);
    } catch (error) {
      // Without measurements, an alarm goes off after five minutes.
      logger.error('The stage could not be measured', { error });
    }
    // The failed invocation raises the alarm. The next scheduled run, one minute later, tries again.
    if (failures.length > 0) throw failures[0];
  };

  return async (event: DynamoDBStreamEvent | Readonly<Record<string, unknown>>) => {
    if ('Records' in event) return watchBatch(event as DynamoDBStreamEvent);
    await watchAll();
    return undefined;
  };
};
