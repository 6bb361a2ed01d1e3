import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { accessDeniedIn } from '../../platform/terminal/access-denied.ts';

/** The chain's answer, or `undefined` if no RPC endpoint answers. */
export const ifAnswered = async <Answer>(question: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await question;
  } catch (error) {
    // If the operator may not read the endpoints' addresses, no endpoint was asked. In this case the error is thrown.
    const isUnanswered = error instanceof ChainUnavailableError && accessDeniedIn(error) === undefined;
    if (isUnanswered) return undefined;
    throw error;
  }
};

/** The warning for data that is shown although the chain could not be asked. */
export const unanswered = (what: string): string => `No RPC endpoint answers: ${what}.`;
