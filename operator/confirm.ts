import { confirm } from '@inquirer/prompts';
import { OperatorError, UsageError } from './operator-error.ts';

/** The option of every command that takes something away for good. */
export const yesOption = ['--yes', 'do not ask'] as const;

/**
 * Asks before something that cannot be taken back.
 *
 * @throws UsageError where there is nobody to ask, and OperatorError when the answer is no.
 */
export const requireConsent = async ({
  question,
  yes = false,
  isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true,
  ask = (message) => confirm({ message, default: false }, { output: process.stderr }),
}: {
  readonly question: string;
  /** `--yes` was given. */
  readonly yes?: boolean | undefined;
  readonly isTerminal?: boolean;
  readonly ask?: (question: string) => Promise<boolean>;
}): Promise<void> => {
  if (yes) return;
  if (!isTerminal) throw new UsageError({ message: `${question}\nThere is nobody to ask: say --yes.` });
  if (!(await ask(question))) throw new OperatorError({ message: 'Nothing was done.' });
};
