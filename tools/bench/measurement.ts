export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Whether the value is within its limit. @default no limit */
  readonly holds?: boolean;
}

const WARM_UP_ROUNDS = 5;

type Task = () => Promise<void>;

/**
 * The median time of each task in milliseconds. The tasks take turns, so other load on the machine affects all of them
 * alike. The ratio of their times then does not depend on the machine.
 */
export const interleaved = async <const Tasks extends readonly Task[]>({
  rounds,
  tasks,
}: {
  readonly rounds: number;
  readonly tasks: Tasks;
}): Promise<{ -readonly [Index in keyof Tasks]: number }> => {
  const times = tasks.map((): number[] => []);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const [index, task] of tasks.entries()) {
      const startedAt = performance.now();
      await task();
      if (round >= 0) times[index]?.push(performance.now() - startedAt);
    }
  }
  return times.map(median) as { -readonly [Index in keyof Tasks]: number };
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);
