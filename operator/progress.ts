/** What goes on while a command works: one line that is written over on a terminal, nothing elsewhere. */
export interface Progress {
  show(text: string): void;
  /** Takes the line away. */
  end(): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const eraseLine = '\r\x1b[2K';

export const startProgress = (stream: Terminal = process.stderr): Progress => {
  if (stream.isTTY !== true) return { show: () => {}, end: () => {} };
  return {
    show: (text) => stream.write(`${eraseLine}${text.slice(0, (stream.columns ?? 80) - 1)}`),
    end: () => stream.write(eraseLine),
  };
};

/** With progress that is taken away however the work ends. */
export const withProgress = async <Result>(
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> => {
  const progress = startProgress();
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
};
