import type { ChainUnavailableError } from '../../chain/errors.ts';
import { unlessUnavailable } from '../../chain/unless-unavailable.ts';

/** Many questions to the chain. Some of them may not be answered, and are asked again later. */
export const newQuestions = () => {
  let error: ChainUnavailableError | undefined;
  return {
    /** `undefined` if too few RPC endpoints answer. */
    ask: <Answer>(question: () => Promise<Answer>): Promise<{ readonly answer: Answer } | undefined> =>
      unlessUnavailable(
        async () => ({ answer: await question() }),
        (why) => {
          error = why;
          return undefined;
        },
      ),
    /** Why the last unanswered question was not answered. `undefined` if all were answered. */
    lastError: () => error,
  };
};
