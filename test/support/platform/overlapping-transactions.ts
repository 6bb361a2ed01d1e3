import { setImmediate } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import type { Store } from '../../simulation/store.ts';
import { seededRandom } from './seeded-random.ts';

/** How long a transaction is under way, in turns of the event loop. */
const turnsOfTransaction = 5;

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
};

const itemKey = ({ table, pk, sk }: Record<'table' | 'pk' | 'sk', unknown>): string =>
  JSON.stringify([table, pk, sk]);

/** Of tables whose keys are `pk` and `sk`. */
const itemOf = ({
  Put,
  Update,
  Delete,
  ConditionCheck,
}: NonNullable<TransactWriteCommandInput['TransactItems']>[number]): string => {
  const write = Put ?? Update ?? Delete ?? ConditionCheck;
  const { pk, sk } = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {};
  return itemKey({ table: write?.TableName, pk, sk });
};

/**
 * A client of the store that cancels a transaction if one of its items is part of a transaction that is under way. It
 * does not matter whether the transactions write the item, or only check a condition (Developer Guide, *Amazon DynamoDB
 * Transactions: How it works*, *Transaction conflict handling in DynamoDB*).
 */
export const overlappingClient = (store: Store) => {
  const plain = plainClient(store);
  const random = seededRandom(1);
  const underWay = new Set<string>();
  let conflicts = 0;
  const transactWrite: DocumentClient['transactWrite'] = async (input) => {
    const items = (input.TransactItems ?? []).map(itemOf);
    const reasons = items.map((item) => ({ Code: underWay.has(item) ? 'TransactionConflict' : 'None' }));
    if (items.some((item) => underWay.has(item))) {
      conflicts += 1;
      throw new TransactionCanceledException({
        message: 'Cancelled',
        $metadata: {},
        CancellationReasons: reasons,
      });
    }
    for (const item of items) underWay.add(item);
    try {
      await turns(turnsOfTransaction);
      return await plain.transactWrite(input);
    } finally {
      for (const item of items) underWay.delete(item);
    }
  };
  const pause = (tried: number) => turns(1 + Math.floor(random() * turnsOfTransaction * 2 ** (tried + 1)));
  return {
    client: { ...plain, transactWrite, pause } satisfies DocumentClient,
    /** Begins a transaction of an item that does not end. */
    hold: (item: { readonly table: string; readonly pk: string; readonly sk: string }): void => {
      underWay.add(itemKey(item));
    },
    conflicts: (): number => conflicts,
  };
};
