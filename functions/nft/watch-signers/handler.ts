import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { Logger } from '../../../shared/logger.ts';
import type { SignerId } from '../../../shared/nft/entry.ts';
import { ChainUnavailableError } from '../../../shared/nft/errors.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import type { SignerState, Signers } from '../../../shared/nft/ports/signers.ts';
import {
  type EnsureWaiterDependencies,
  ensureWaiter,
  hasUnfinishedWork,
  takenBack,
} from '../../../shared/nft/waiter/executions.ts';

export type Dependencies = EnsureWaiterDependencies & {
  readonly chain: Pick<Chain, 'chainId' | 'minedCounts'>;
  readonly signers: Pick<Signers, 'list'>;
  /** Returns the signer whose log entry changed, from a record of the transaction log's stream. */
  readonly signerInRecord: (record: unknown) => SignerId;
  readonly logger: Logger;
};

/**
 * Makes sure that a waiter is running for each signer with work. For a batch of stream records, checks only the signers
 * in these records. On schedule, checks all signers with unfinished work, and all signers whose final transactions are
 * no longer on the chain.
 */
export const watchSignersHandler = ({ logger, signerInRecord, ...dependencies }: Dependencies) => {
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

  /**
   * Finds the signers whose final transactions are no longer on the chain. A running waiter notices this by itself, so
   * only signers without unfinished work are checked.
   */
  const takenBackOf = async (idle: readonly SignerState[]): Promise<SignerState[]> => {
    try {
      return await takenBack(dependencies, idle);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      logger.warn('No RPC endpoint tells whether final transactions are still on the chain', { error });
      return [];
    }
  };

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
    const gone = await takenBackOf(states.filter((state) => !hasUnfinishedWork(state)));
    for (const { id, finalizedCount } of gone) {
      logger.warn('Final transactions are no longer on the chain', { signer: id, finalizedCount });
    }
    await watch(gone);
    // The failed invocation raises the alarm. The next scheduled run, one minute later, tries again.
    if (failures.length > 0) throw failures[0];
  };

  return async (event: DynamoDBStreamEvent | Readonly<Record<string, unknown>>) => {
    if ('Records' in event) return watchBatch(event as DynamoDBStreamEvent);
    await watchAll();
    return undefined;
  };
};
