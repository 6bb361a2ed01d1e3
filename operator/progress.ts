import { type Progress, startProgress } from './output.ts';

/** Shows progress that is removed however the work ends. */
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
