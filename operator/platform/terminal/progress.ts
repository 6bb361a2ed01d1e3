import { type ProgressLine, startProgress } from './output.ts';

/** Does work that shows its progress. The progress line is removed even if the work fails. */
export const withProgress = async <Result>(
  work: (progress: ProgressLine) => Promise<Result>,
): Promise<Result> => {
  const progress = startProgress();
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
};
