import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import type { DocumentClient } from '../../shared/platform/store/client.ts';
import type { Random } from '../support/platform/seeded-random.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import { lagAtMost } from './past.ts';
import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import type { Store } from './store.ts';
import { between, hexOf, type Streams } from './streams.ts';

/** The same values as in `documentClientOf`. */
const requestTimeoutMilliseconds = 2_500;
const triesAtMost = 4;

interface Surrounding {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly faults: Faults;
  readonly history: History;
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

type Operation = Exclude<keyof DocumentClient, `${string}Once` | 'pause'>;

const throttled = () =>
  new ProvisionedThroughputExceededException({ message: 'The rate is exceeded', $metadata: {} });

const conflicting = (operation: Operation, input: object): Error => {
  if (operation !== 'transactWrite')
    return new TransactionConflictException({ message: 'Conflict', $metadata: {} });
  const { TransactItems } = input as { readonly TransactItems: readonly unknown[] };
  const CancellationReasons = TransactItems.map((_, index) => ({
    Code: index === 0 ? 'TransactionConflict' : 'None',
  }));
  return new TransactionCanceledException({ message: 'Cancelled', $metadata: {}, CancellationReasons });
};

/**
 * Divides the keys of a batch into those that DynamoDB answers, at least one, and those that it leaves for another
 * call.
 */
const partOf = (input: object, random: Random) => {
  const { RequestItems = {} } = input as BatchGetCommandInput;
  const all = Object.entries(RequestItems).map(([table, { Keys = [], ...options }]) => {
    const read = between(random, 1, Keys.length);
    return { table, options, read: Keys.slice(0, read), left: Keys.slice(read) };
  });
  return {
    part: {
      RequestItems: Object.fromEntries(
        all.map(({ table, options, read }) => [table, { ...options, Keys: read }]),
      ),
    },
    rest: Object.fromEntries(
      all.flatMap(({ table, options, left }) =>
        left.length === 0 ? [] : [[table, { ...options, Keys: left }]],
      ),
    ),
  };
};

const isConsistent = (input: object): boolean => 'ConsistentRead' in input && input.ConsistentRead === true;

const isWrite = (operation: Operation): boolean => !['get', 'query', 'scan', 'batchGet'].includes(operation);

/** Whether the SDK repeats a call after this error: DynamoDB has refused it, but not because of a condition. */
const isTransient = (error: unknown): boolean =>
  error instanceof ProvisionedThroughputExceededException || error instanceof TransactionConflictException;

/**
 * A process's client of the store. Repeats calls as the service's own client does: `documentClientOf` in
 * shared/platform/store/client.ts.
 */
export const databaseClient = (
  store: Store,
  { process, scheduler, streams, faults, history }: Surrounding & { readonly process: Process },
): DocumentClient => {
  const strikes = (kind: Parameters<Faults['strike']>[0]): boolean => faults.strike(kind, process.task);

  const attempt = (operation: Operation, input: object): Promise<unknown> => {
    const random = streams.of(`database @ ${process.task}`);
    const lag =
      operation === 'query' && !isConsistent(input) && strikes('database: index lags')
        ? between(random, 100, lagAtMost)
        : undefined;
    const sent =
      operation === 'batchGet' && strikes('database: batch answered in part')
        ? partOf(input, random)
        : undefined;
    const execute = (): unknown => {
      const asOf = lag === undefined ? undefined : scheduler.now() - lag;
      if (sent !== undefined) return { ...store.batchGet(sent.part), UnprocessedKeys: sent.rest };
      return (store[operation] as (input: object, asOf?: number) => unknown)(input, asOf);
    };
    const describe = (answer: string): void => history.call(process, { operation, input, answer });
    const fail = (milliseconds: number, error: () => Error): Promise<never> =>
      process.answer(milliseconds, () => {
        throw error();
      });
    const silence = () => new TimeoutError('The database did not answer');
    if (process.isPastDeadline()) {
      describe('not called, because the deadline has passed');
      return fail(0, silence);
    }
    const latency = between(random, 2, 12) + (strikes('database: slow') ? between(random, 50, 2_000) : 0);

    if (strikes('process: freezes')) {
      const lasts = between(random, 1_000, 90_000);
      history.say(process.name, `is suspended for ${lasts} ms`);
      process.freeze(scheduler.now() + lasts);
    }
    if (strikes('process: dies before a call')) {
      describe('the process dies before it');
      process.die();
      return new Promise(() => {});
    }
    if (strikes('database: throttled')) {
      describe('throttled');
      return fail(latency, throttled);
    }
    if (strikes('database: call lost')) {
      describe('lost, without effect');
      return fail(requestTimeoutMilliseconds, silence);
    }
    if (isWrite(operation)) {
      if (strikes('database: conflict')) {
        describe('conflict');
        return fail(latency, () => conflicting(operation, input));
      }
      if (strikes('database: executed late')) {
        const delay = between(random, 100, 15_000);
        describe(`no answer, and executed ${delay} ms late`);
        scheduler.at(scheduler.now() + delay, () => {
          try {
            execute();
          } catch {
            // Nobody hears of the refusal.
          }
        });
        return fail(requestTimeoutMilliseconds, silence);
      }
    }
    const isLost = strikes('database: answer lost');
    const diesAfter = strikes('process: dies after a call');
    let outcome: { readonly answer: unknown } | { readonly error: unknown } | undefined;
    scheduler.at(scheduler.now() + Math.ceil(latency / 2), () => {
      try {
        outcome = { answer: execute() };
        describe(isLost ? 'executed, but the answer is lost' : 'ok');
      } catch (error) {
        outcome = { error };
        describe(error instanceof Error ? error.name : String(error));
      }
      if (diesAfter) {
        history.say(process.name, 'dies');
        process.die();
      }
    });
    if (isLost) return fail(requestTimeoutMilliseconds, silence);
    return process.answer(latency, () => {
      if (outcome === undefined || 'error' in outcome) throw outcome?.error ?? silence();
      return outcome.answer;
    });
  };

  const repeating =
    (operation: Operation, repeats: 'all' | 'refused' | 'none') =>
    async (input: object): Promise<unknown> => {
      const random = streams.of(`database @ ${process.task}`);
      // The SDK makes one token for all tries of a transaction.
      const sent =
        operation === 'transactWrite' ? { ClientRequestToken: hexOf(random, 16), ...input } : input;
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(operation, sent);
        } catch (error) {
          const isSilent = error instanceof TimeoutError;
          const mayRepeat = repeats !== 'none' && (isTransient(error) || (isSilent && repeats === 'all'));
          if (!mayRepeat || tried >= triesAtMost) throw error;
          await process.after(between(random, 0, 25 * 2 ** tried), () => undefined);
          if (process.isPastDeadline()) throw error;
        }
      }
    };

  const client = {
    get: repeating('get', 'all'),
    put: repeating('put', 'all'),
    update: repeating('update', 'all'),
    delete: repeating('delete', 'all'),
    query: repeating('query', 'all'),
    scan: repeating('scan', 'all'),
    batchGet: repeating('batchGet', 'all'),
    batchWrite: repeating('batchWrite', 'all'),
    transactWrite: repeating('transactWrite', 'all'),
    updateOnce: repeating('update', 'refused'),
    putOnce: repeating('put', 'refused'),
    transactWriteOnce: repeating('transactWrite', 'none'),
    pause: (tried: number) =>
      process.answer(between(streams.of(`pauses @ ${process.task}`), 25, 25 * 2 ** (tried + 1)), () => {}),
  } satisfies Record<keyof DocumentClient, unknown>;
  return client as unknown as DocumentClient;
};
