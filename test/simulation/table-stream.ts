import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Item } from './expressions.ts';
import type { FunctionSurroundings } from './functions.ts';
import type { Written } from './past.ts';
import type { Store } from './store.ts';
import { between } from './streams.ts';

interface StreamOptions extends FunctionSurroundings {
  readonly store: Store;
  readonly table: string;
  readonly keys: readonly [string, string?];
  /** Whether the trigger's filter selects what is written of this item. @default of every item */
  readonly isWanted?: (item: Item) => boolean;
  /** Whether records have the item before the write too. @default false */
  readonly hasOldImages?: boolean;
  readonly invoke: (task: string, event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse | undefined>;
  /**
   * Called with records that were tried too often, or for too long. Lambda reports their place in the stream, but not
   * their content.
   */
  readonly onGivenUp: (records: readonly DynamoDBRecord[]) => void;
}

const shards = 3;
const batchSize = 100;
const triesAtMost = 500;

const imageOf = (item: Item | undefined) =>
  item === undefined ? undefined : (marshall(item, { removeUndefinedValues: true }) as never);

const shardOf = (key: string): number =>
  [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % shards;

/**
 * A table's stream with a Lambda trigger. Records of one key keep their order. A batch that fails is halved and tried
 * again, from the first record that the function reports. Batches may be delivered late and twice.
 */
export const readStream = (options: StreamOptions): { readonly isRead: () => boolean } => {
  const { scheduler, streams, faults, store, table, keys, invoke, onGivenUp } = options;
  const { isWanted = () => true, hasOldImages = false } = options;
  let records = 0;

  const recordOf = ({ before, after }: Written): DynamoDBRecord => {
    records += 1;
    const item = after ?? before ?? {};
    const key = Object.fromEntries(keys.flatMap((name) => (name === undefined ? [] : [[name, item[name]]])));
    const eventName = after === undefined ? 'REMOVE' : before === undefined ? 'INSERT' : 'MODIFY';
    return {
      eventID: `${table} ${records}`,
      eventName,
      eventSourceARN: `arn:aws:dynamodb:eu-central-1:1:table/${table}/stream/1`,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(scheduler.now() / 1_000),
        Keys: imageOf(key),
        OldImage: hasOldImages ? imageOf(before) : undefined,
        NewImage: imageOf(after),
        SequenceNumber: String(records).padStart(21, '0'),
      },
    };
  };

  const shard = (name: string) => {
    const pending: DynamoDBRecord[] = [];
    let isRunning = false;
    let batches = 0;
    let tries = 0;
    let most = batchSize;
    const run = async (): Promise<void> => {
      const batch = pending.slice(0, most);
      batches += 1;
      const task = `${name}, batch ${batches}`;
      if (faults.strike('stream: twice', task))
        void invoke(`${task} again`, { Records: batch }).catch(() => {});
      const answer = await invoke(task, { Records: batch }).catch(() => 'failed' as const);
      const failed =
        answer === 'failed' ? [''] : (answer?.batchItemFailures ?? []).map((one) => one.itemIdentifier);
      const first = batch.findIndex(({ dynamodb }) => failed.includes(dynamodb?.SequenceNumber ?? ''));
      const done = failed.length === 0 ? batch.length : Math.max(0, first);
      pending.splice(0, done);
      tries = done > 0 ? 0 : tries + 1;
      most = done === batch.length ? batchSize : Math.max(1, Math.ceil((batch.length - done) / 2));
      if (tries > triesAtMost) onGivenUp(pending.splice(0, most));
      isRunning = false;
      if (pending.length > 0) begin(done === batch.length ? 0 : Math.min(10_000, 500 * 2 ** tries));
    };
    const begin = (pause: number): void => {
      if (isRunning) return;
      isRunning = true;
      const next = `${name}, batch ${batches + 1}`;
      const late = faults.strike('stream: late', next) ? between(streams.of(next), 1_000, 60_000) : 0;
      scheduler.at(scheduler.now() + 300 + pause + late, () => void run());
    };
    return {
      push: (record: DynamoDBRecord): void => {
        pending.push(record);
        begin(0);
      },
      isRead: (): boolean => pending.length === 0,
    };
  };

  const all = Array.from({ length: shards }, (_, index) => shard(`stream of ${table}, shard ${index + 1}`));
  store.watch((written) => {
    if (written.table !== table) return;
    const item = written.after ?? written.before ?? {};
    if (!isWanted(item)) return;
    all[shardOf(String(item[keys[0]]))]?.push(recordOf(written));
  });
  return { isRead: () => all.every(({ isRead }) => isRead()) };
};
