import { ChainUnavailableError } from '../errors.ts';

/** The answer of the chain. `undefined`, and `onUnanswered` hears why, if too few RPC endpoints answer. */
export const ifAnswered = async <Answer>(
  ask: () => Promise<Answer>,
  onUnanswered: (error: ChainUnavailableError) => void,
): Promise<{ readonly answer: Answer } | undefined> => {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    onUnanswered(error);
    return undefined;
  }
};
