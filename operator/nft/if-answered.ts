import { ChainUnavailableError } from '../../shared/nft/errors.ts';

/** What the chain says; `undefined` where no endpoint answers, from which nothing follows. */
export const ifAnswered = async <Answer>(question: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await question;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return undefined;
    throw error;
  }
};

/** The warning with what is shown all the same. */
export const unanswered = (what: string): string => `No RPC endpoint answers: ${what}.`;
