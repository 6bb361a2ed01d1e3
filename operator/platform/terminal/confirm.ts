import { NotConfirmedError } from './operator-error.ts';
import { ask as askOnTerminal, canAsk } from './output.ts';

/** The option of every command that does something irreversible. */
export const yesOption = ['--yes', 'do not ask for confirmation'] as const;

/**
 * Asks for consent before an action that cannot be undone.
 *
 * @throws NotConfirmedError when the answer is no, or when there is no terminal to ask on.
 */
export const requireConsent = async ({
  question,
  yes = false,
  isTerminal = canAsk(),
  ask = askOnTerminal,
}: {
  readonly question: string;
  /** Whether `--yes` was given. */
  readonly yes?: boolean | undefined;
  readonly isTerminal?: boolean;
  readonly ask?: (question: string) => Promise<boolean>;
}): Promise<void> => {
  if (yes) return;
  if (!isTerminal)
    throw new NotConfirmedError({ message: `${question}\nNo terminal to ask for confirmation: add --yes.` });
  if (!(await ask(question))) throw new NotConfirmedError({ message: 'Nothing was done.' });
};
