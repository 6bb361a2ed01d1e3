import { NotConfirmedError } from './operator-error.ts';

/** The option of every command that takes something away for good. */
export const yesOption = ['--yes', 'do not ask'] as const;

/** Loaded where there is somebody to ask. */
const askInTerminal = async (message: string): Promise<boolean> => {
  const { confirm } = await import('@inquirer/prompts');
  return confirm({ message, default: false }, { output: process.stderr });
};

/**
 * Asks before something that cannot be taken back.
 *
 * @throws NotConfirmedError when the answer is no, and where there is nobody to ask.
 */
export const requireConsent = async ({
  question,
  yes = false,
  isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true,
  ask = askInTerminal,
}: {
  readonly question: string;
  /** `--yes` was given. */
  readonly yes?: boolean | undefined;
  readonly isTerminal?: boolean;
  readonly ask?: (question: string) => Promise<boolean>;
}): Promise<void> => {
  if (yes) return;
  if (!isTerminal)
    throw new NotConfirmedError({ message: `${question}\nThere is nobody to ask: say --yes.` });
  if (!(await ask(question))) throw new NotConfirmedError({ message: 'Nothing was done.' });
};
