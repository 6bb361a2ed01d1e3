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
  /** Of a record of the transaction log's stream. */
  readonly signerInRecord: (record: unknown) => SignerId;
  readonly logger: Logger;
};

/**
 * Makes sure that signers with work have a waiter. For a batch of the stream, these are the batch's signers. On
 * schedule, these are all signers with unfinished work, or with final transactions that are no longer on the chain.
 */
export const watchSignersHandler = ({ logger, signerInRecord, ...dependencies }: Dependencies) => {
  const watchBatch = async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const signers = Records.map(signerInRecord);
    const unwatched = new Set<string>();
    for (const signer of new Set(signers)) {
      try {
        await ensureWaiter(dependencies, signer);
      } catch (error) {
        logger.error('A signer is not watched', { signer, error });
        unwatched.add(signer);
      }
    }
    // Lambda retries from the first failed record on. The signers of later records may be watched already; a repetition
    // does no harm.
    const failed = Records.find((_, index) => unwatched.has(signers[index] ?? ''));
    // An empty identifier makes Lambda repeat the whole batch.
    const itemIdentifier = failed?.dynamodb?.SequenceNumber ?? '';
    return { batchItemFailures: failed === undefined ? [] : [{ itemIdentifier }] };
  };

  /** A running waiter notices by itself when final transactions are gone, so only the other signers are checked. */
  const takenBackOf = async (idle: readonly SignerState[]): Promise<SignerState[]> => {
    try {
      return await takenBack(dependencies, idle);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      logger.warn('No RPC endpoint says whether what was final still is', { error });
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
          logger.error('A signer is not watched', { signer: id, error });
          failures.push(error);
        }
      }
    };
    await watch(states.filter(hasUnfinishedWork));
    const gone = await takenBackOf(states.filter((state) => !hasUnfinishedWork(state)));
    for (const { id, finalizedCount } of gone) {
      logger.warn('What was final is taken back', { signer: id, finalizedCount });
    }
    await watch(gone);
    // The failure raises the alarm. The next scheduled run in a minute retries.
    if (failures.length > 0) throw failures[0];
  };

  return async (event: DynamoDBStreamEvent | Readonly<Record<string, unknown>>) => {
    if ('Records' in event) return watchBatch(event as DynamoDBStreamEvent);
    await watchAll();
    return undefined;
  };
};
