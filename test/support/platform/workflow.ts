import { readFileSync } from 'node:fs';

/** A line of shell of a job, with the environment of its step. */
export interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

const workflows = new URL('../../../.github/workflows/', import.meta.url);

const entriesIn = (lines: string): Record<string, string> =>
  Object.fromEntries(
    [...lines.matchAll(/^ +(\w+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

/** The text of each job of a workflow, by the job's name. */
const textOfJobs = (file: string): ReadonlyMap<string, string> => {
  const [, jobs = ''] = readFileSync(new URL(file, workflows), 'utf8').split(/^jobs:\n/m);
  const texts = jobs.split(/^(?= {2}[\w-]+:$)/m);
  return new Map(texts.map((text) => [/^ {2}([\w-]+):$/m.exec(text)?.[1] ?? '', text]));
};

/**
 * The lines of shell of each job of a workflow. The workflows of this project write each in one line, `- run: …`, with
 * the environment of the step below.
 */
export const workflowJobs = (file: string): ReadonlyMap<string, readonly Step[]> => {
  const [before = ''] = readFileSync(new URL(file, workflows), 'utf8').split(/^jobs:\n/m);
  const [, shared = ''] = /^env:\n((?: {2}.*\n)+)/m.exec(before) ?? [];
  return new Map(
    [...textOfJobs(file)].map(([name, job]) => [
      name,
      [...job.matchAll(/^ {6}- run: (.*)\n(?: {8}env:\n((?: {10}.*\n)+))?/gm)].map(
        ([, run = '', own = '']) => ({ run, env: { ...entriesIn(shared), ...entriesIn(own) } }),
      ),
    ]),
  );
};

/** How long a session is that `configure-aws-credentials` asks for, unless it is told otherwise. */
const usualSessionSeconds = 3_600;

/** Each job of a workflow that assumes a role, with the minutes that the role's session and the job may last. */
export const assumedRoles = (
  file: string,
): readonly { readonly job: string; readonly sessionMinutes: number; readonly jobMinutes: number }[] =>
  [...textOfJobs(file)]
    .filter(([, text]) => text.includes('role-to-assume:'))
    .map(([job, text]) => ({
      job,
      sessionMinutes: Number(/role-duration-seconds: (\d+)/.exec(text)?.[1] ?? usualSessionSeconds) / 60,
      jobMinutes: Number(/timeout-minutes: (\d+)/.exec(text)?.[1]),
    }));

/** Runs a line of shell with an environment. */
export type Shell = (
  line: string,
  env: Readonly<Record<string, string>>,
) => Promise<{ readonly exitCode: number; readonly output: string }>;

/**
 * Runs the lines in their order, as GitHub does, and stops after one that fails. `npm ci` is left out, because the packages
 * are installed.
 */
export const runSteps = async (
  steps: readonly Step[],
  {
    shell,
    value,
  }: {
    readonly shell: Shell;
    /** The value of an expression, such as `secrets.SMOKE_API_KEY`. */
    readonly value: (expression: string) => string | undefined;
  },
): Promise<readonly { readonly run: string; readonly exitCode: number; readonly output: string }[]> => {
  const outcomes = [];
  for (const { run, env } of steps) {
    if (run === 'npm ci') continue;
    const filled = Object.entries(env).map(([name, written]) => [
      name,
      written.replace(/^\$\{\{ (.*) \}\}$/, (_, expression: string) => {
        const found = value(expression);
        if (found === undefined) throw new Error(`nothing gives a value to ${expression}`);
        return found;
      }),
    ]);
    const outcome = { run, ...(await shell(run, Object.fromEntries(filled))) };
    outcomes.push(outcome);
    if (outcome.exitCode !== 0) break;
  }
  return outcomes;
};
