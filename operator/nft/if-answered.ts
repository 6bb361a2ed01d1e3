import { ChainUnavailableError } from '../../shared/nft/errors.ts';
import { accessDeniedIn } from '../access-denied.ts';

/** The chain's answer, or `undefined` when no endpoint answers, which says nothing about the chain. */
export const ifAnswered = async <Answer>(question: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await question;
  } catch (error) {
    // Without permission to read their addresses, no endpoint was asked.
    const isUnanswered = error instanceof ChainUnavailableError && accessDeniedIn(error) === undefined;
    if (isUnanswered) return undefined;
    throw error;
  }
};

/** The warning beside data that is shown without the chain. */
export const unanswered = (what: string): string => `No RPC endpoint answers: ${what}.`;
