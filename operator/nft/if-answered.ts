import { ChainUnavailableError } from '../../shared/nft/errors.ts';
import { accessDeniedIn } from '../access-denied.ts';

/** What the chain says; `undefined` where no endpoint answers, from which nothing follows. */
export const ifAnswered = async <Answer>(question: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await question;
  } catch (error) {
    // Whoever may not read where the endpoints are asked none of them.
    const isUnanswered = error instanceof ChainUnavailableError && accessDeniedIn(error) === undefined;
    if (isUnanswered) return undefined;
    throw error;
  }
};

/** The warning with what is shown all the same. */
export const unanswered = (what: string): string => `No RPC endpoint answers: ${what}.`;
