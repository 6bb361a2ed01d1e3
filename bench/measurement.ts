export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Whether it is what it must be; left out where nothing is promised. */
  readonly holds?: boolean;
}

const WARM_UP_ROUNDS = 5;

interface Spread {
  readonly median: number;
  /** How far the slowest of the middle half lies from its fastest. */
  readonly spread: number;
}

interface Rounds<Tasks> {
  readonly rounds: number;
  readonly tasks: Tasks;
}

type Task = () => Promise<void>;

/**
 * The time of each task in milliseconds. Tasks take turns, so that what else the machine does meets all of them alike
 * and their ratio holds on any machine.
 */
export const interleavedSpread = async <const Tasks extends readonly Task[]>({
  rounds,
  tasks,
}: Rounds<Tasks>): Promise<{ -readonly [Index in keyof Tasks]: Spread }> => {
  const times = tasks.map((): number[] => []);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const [index, task] of tasks.entries()) {
      const startedAt = performance.now();
      await task();
      if (round >= 0) times[index]?.push(performance.now() - startedAt);
    }
  }
  return times.map(spreadOf) as { -readonly [Index in keyof Tasks]: Spread };
};

/** The median time of each task, taking turns. */
export const interleaved = async <const Tasks extends readonly Task[]>(
  measured: Rounds<Tasks>,
): Promise<{ -readonly [Index in keyof Tasks]: number }> =>
  (await interleavedSpread(measured)).map(({ median }) => median) as {
    -readonly [Index in keyof Tasks]: number;
  };

const spreadOf = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { median: at(0.5), spread: at(0.75) - at(0.25) };
};

/** The value that this share of all lies below. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);
