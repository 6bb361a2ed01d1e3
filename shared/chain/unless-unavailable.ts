import { ChainUnavailableError } from './errors.ts';

/** The result of `ask`. If the chain is unavailable, `otherwise` is told why, and its result is returned. */
export const unlessUnavailable = async <Answer, Otherwise>(
  ask: () => Promise<Answer>,
  otherwise: (error: ChainUnavailableError) => Otherwise,
): Promise<Answer | Otherwise> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    return otherwise(error);
  }
};
