import { NotConfirmedError } from './operator-error.ts';
import { wrappedLines } from './output.ts';

/** The option of every command that takes something away for good. */
export const yesOption = ['--yes', 'do not ask'] as const;

/** What stands around a question on its lines: a mark before it, the possible answers behind it. */
const roomAround = '? '.length + ' (y/N) '.length;

/** A question's lines, broken between words where the terminal is narrower than they are with what is around them. */
export const askedText = (question: string, columns: number | undefined): string =>
  wrappedLines(question, { columns: columns === undefined ? undefined : Math.max(1, columns - roomAround) });

/** Loaded where there is somebody to ask. */
const askInTerminal = async (question: string): Promise<boolean> => {
  const { confirm } = await import('@inquirer/prompts');
  const message = askedText(question, process.stderr.columns);
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
