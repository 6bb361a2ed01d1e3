import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface DatabaseFaults {
  /** Share of calls that are throttled, 0 to 1. */
  readonly throttled?: number;
  /** How many calls are throttled at most. @default no limit */
  readonly throttledAtMost?: number;
  /** Share of writes that conflict with another transaction, 0 to 1. */
  readonly conflicting?: number;
  /** Share of calls that are answered 500 and never reach the database, 0 to 1. */
  readonly failing?: number;
  /** Share of calls that reach the database but are never answered, 0 to 1. */
  readonly unanswered?: number;
  /** The operations that are throttled, conflict or fail. @default all */
  readonly operations?: readonly string[];
  readonly delayMilliseconds?: number;
  /**
   * What happens to the first try of each write. The caller gets no answer to it, so its client repeats the write.
   * - `twice`: the first try reaches the database before the second one;
   * - `late`: the first try reaches the database only when `runLate` is called.
   */
  readonly repeated?: 'twice' | 'late';
}

export interface DatabaseProxyCall {
  /** The id of the access key that signed the call. */
  readonly caller: string;
  readonly operation: string;
  readonly body: string;
  /** When it arrived, milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface DatabaseFaultProxy {
  readonly url: string;
  setFaults(faults: DatabaseFaults): void;
  /** All calls received, including those that met a fault. */
  readonly calls: DatabaseProxyCall[];
  /**
   * Sends the first tries of repeated writes to the database, in the order in which they came. Returns how many there
   * were.
   */
  runLate(): Promise<number>;
  stop(): Promise<void>;
}

const types = 'com.amazonaws.dynamodb.v20120810';
const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

/** Whether the SDK's client sends this call for the first time. */
const isFirstTry = ({ 'amz-sdk-request': tries = 'attempt=1' }: IncomingMessage['headers']): boolean =>
  /attempt=1(?!\d)/.test(String(tries));

/**
 * The error that DynamoDB sends. A cancelled transaction has a reason for each write, another call only an error type.
 */
const refusal = (operation: string, body: string, kind: 'throttled' | 'conflicting'): string => {
  if (operation === 'TransactWriteItems') {
    const items = (JSON.parse(body) as { readonly TransactItems: readonly unknown[] }).TransactItems;
    const [Code, Message] =
      kind === 'throttled'
        ? ['ThrottlingError', 'Throughput exceeds the current capacity of your table.']
        : ['TransactionConflict', 'Transaction is ongoing for the item'];
    return JSON.stringify({
      __type: `${types}#TransactionCanceledException`,
      Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${Code}]`,
      CancellationReasons: items.map((_, index) => (index === 0 ? { Code, Message } : { Code: 'None' })),
    });
  }
  return kind === 'throttled'
    ? JSON.stringify({
        __type: `${types}#ProvisionedThroughputExceededException`,
        message: 'The level of configured provisioned throughput for the table was exceeded.',
      })
    : JSON.stringify({
        __type: `${types}#TransactionConflictException`,
        message: 'Transaction is ongoing for the item',
      });
};

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/**
 * A proxy in front of a database that refuses, delays and loses calls as DynamoDB does under load. A seeded random
 * generator selects these calls.
 */
export const startDatabaseFaultProxy = async ({
  target,
  seed = 1,
}: {
  readonly target: string;
  readonly seed?: number;
}): Promise<DatabaseFaultProxy> => {
  let faults: DatabaseFaults = {};
  let state = seed;
  const calls: DatabaseFaultProxy['calls'] = [];
  // Mulberry32. With the same seed and the same order of calls, the same calls meet a fault.
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  const late: (() => Promise<void>)[] = [];
  let throttledSoFar = 0;

  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    const [, caller = ''] = /Credential=([^/]+)/.exec(String(incoming.headers.authorization)) ?? [];
    calls.push({ caller, operation, body, at: Date.now() });
    const { throttled = 0, conflicting = 0, failing = 0, unanswered = 0, delayMilliseconds = 0 } = faults;
    if (delayMilliseconds > 0) await setTimeout(delayMilliseconds);
    const isSpared = faults.operations?.includes(operation) === false;
    const drawn = random();
    const isConflict = drawn >= throttled && drawn < throttled + conflicting && writes.has(operation);
    const isThrottled = drawn < throttled && throttledSoFar < (faults.throttledAtMost ?? Infinity);
    if (!isSpared && (isThrottled || isConflict)) {
      if (isThrottled) throttledSoFar += 1;
      outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      outgoing.end(refusal(operation, body, isConflict ? 'conflicting' : 'throttled'));
      return;
    }
    if (!isSpared && drawn >= 1 - failing) {
      outgoing.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
      outgoing.end(
        JSON.stringify({ __type: `${types}#InternalServerError`, message: 'Internal server error' }),
      );
      return;
    }
    const isLost = random() < unanswered;
    const { method, url = '/', headers } = incoming;
    if (faults.repeated !== undefined && !isSpared && writes.has(operation) && isFirstTry(headers)) {
      const run = () =>
        new Promise<void>((resolve, reject) => {
          const sent = request(new URL(url, target), { method, headers }, (answer) => {
            answer.resume().on('end', resolve);
          });
          sent.on('error', reject);
          sent.end(body);
        });
      if (faults.repeated === 'twice') await run();
      else late.push(run);
      outgoing.destroy();
      return;
    }
    const forwarded = request(new URL(url, target), { method, headers }, (answer) => {
      if (isLost) {
        answer.resume();
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setFaults: (next) => {
      faults = next;
      throttledSoFar = 0;
    },
    calls,
    runLate: async () => {
      const runs = late.splice(0);
      for (const run of runs) await run();
      return runs.length;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
