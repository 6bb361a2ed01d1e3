import { ChainUnavailableError } from '../../shared/nft/errors.ts';
import { accessDeniedIn } from '../access-denied.ts';

/** The chain's answer; `undefined` when no endpoint answers, from which nothing follows. */
export const ifAnswered = async <Answer>(question: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await question;
  } catch (error) {
    // Without permission to read the endpoints' addresses, none is asked.
    const isUnanswered = error instanceof ChainUnavailableError && accessDeniedIn(error) === undefined;
    if (isUnanswered) return undefined;
    throw error;
  }
};

/** The warning beside what is shown anyway. */
export const unanswered = (what: string): string => `No RPC endpoint answers: ${what}.`;
