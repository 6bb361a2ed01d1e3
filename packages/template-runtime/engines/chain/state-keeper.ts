import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';

const hex = z.string().regex(/^0x[0-9a-f]*$/i);
const head = z.object({ number: hex, hash: hex, transactions: z.array(z.unknown()) });

/**
 * After a block with transactions, this many further blocks are saved too, so that a final transaction stays final
 * after a kill.
 */
const finalityBlocks = 5;
/**
 * Without transactions, the state is saved only once in this many blocks, because such blocks change nothing but the
 * time.
 */
const idleBlocks = 60;
const minimumPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;
const pauseForEachDumpTime = 10;

export interface StateKeeperOptions {
  readonly file: string;
  readonly request: (method: string, parameters?: readonly unknown[]) => Promise<unknown>;
  readonly log: (line: string) => void;
}

export interface StateKeeper {
  saveNow(): Promise<void>;
  stop(): Promise<void>;
}

interface Seen {
  readonly number: number;
  readonly hash: string;
}

/**
 * Saves the chain at intervals if it has changed. Replaces the file atomically, so that a kill at any instant leaves
 * the last saved state. anvil writes its own `--state` file in place, so a kill can leave that file half written.
 */
export const keepState = ({ file, request, log }: StateKeeperOptions): StateKeeper => {
  const stopping = new AbortController();
  let saved: Seen | undefined;
  /**
   * The hash of a block. No block after the saved one has transactions, up to and including the block with this hash.
   */
  let quiet: string | undefined;
  let busyUntil = -1;
  let lastDumpMilliseconds = 0;
  let lastSave = Promise.resolve();

  const dumpToFile = async (): Promise<void> => {
    const started = performance.now();
    const dump = z
      .string()
      .startsWith('0x')
      .parse(await request('anvil_dumpState'));
    await replaceFile(file, Buffer.from(dump.slice(2), 'hex'));
    lastDumpMilliseconds = performance.now() - started;
  };

  /** Saves run one at a time, because they share the temporary file. */
  const save = (): Promise<void> => {
    const next = lastSave.then(dumpToFile, dumpToFile);
    lastSave = next;
    return next;
  };

  const block = async (number: string) =>
    head.nullable().parse(await request('eth_getBlockByNumber', [number, false]));

  /**
   * Whether any block with a number greater than `after` has transactions. Searches backwards from `latest`, and leaves
   * out the blocks that an earlier search found to be empty.
   */
  const hasTransactions = async (latest: z.infer<typeof head>, after: number): Promise<boolean> => {
    const newest = Number(latest.number);
    for (let number = newest; number > after; number--) {
      const found = number === newest ? latest : await block(`0x${number.toString(16)}`);
      if (found === null) continue;
      if (found.hash === quiet) break;
      if (found.transactions.length > 0) return true;
    }
    quiet = latest.hash;
    return false;
  };

  const saveIfChanged = async (): Promise<void> => {
    const latest = await block('latest');
    if (!latest || latest.hash === saved?.hash) return;
    const number = Number(latest.number);
    const goneBack = saved !== undefined && number <= saved.number;
    const isFar = saved === undefined || number - saved.number >= idleBlocks;
    if (goneBack || isFar || (await hasTransactions(latest, saved?.number ?? 0))) {
      busyUntil = number + finalityBlocks;
    }
    if (number > busyUntil) return;
    await save();
    saved = { number, hash: latest.hash };
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await saveIfChanged();
      } catch (error) {
        if (!stopping.signal.aborted) log(`the chain's state was not saved: ${String(error)}`);
      }
      await delay(pauseAfter(lastDumpMilliseconds), undefined, { signal: stopping.signal, ref: false }).catch(
        ignoreAbort,
      );
    }
  };
  const running = run();

  return {
    saveNow: save,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

/**
 * Milliseconds to wait after a save: ten times as long as the last dump took, because dumping a large state is slow.
 * The minimum is half a second. The maximum is 10 seconds, so that a kill loses no more than 10 seconds plus the time
 * of one save.
 */
export const pauseAfter = (dumpMilliseconds: number): number =>
  Math.min(
    Math.max(minimumPauseMilliseconds, dumpMilliseconds * pauseForEachDumpTime),
    longestPauseMilliseconds,
  );

const ignoreAbort = (error: unknown): void => {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
};

const replaceFile = async (path: string, content: Buffer): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
};
