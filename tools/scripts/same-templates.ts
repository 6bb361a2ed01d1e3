/**
 * `same-templates.ts COMMIT [COMMIT]` tells whether both commits, or the first and HEAD, make the same templates of every
 * stage. Hashes of assets are left out, because they change with the code of a function. Moving files must change nothing
 * else: a construct with another id is another resource, and another table is an empty one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageNames } from '../../config/stages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'marquee-same-'));
const git = (...parameters: string[]): string =>
  execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).trim();

/** The templates of a commit, by stage, as lines. The packages are those of this checkout. */
const templatesOf = (commit: string): ReadonlyMap<string, readonly string[]> => {
  const tree = join(directory, commit);
  git('worktree', 'add', '--detach', tree, commit);
  try {
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const output = join(tree, 'cdk.out');
    execFileSync(process.execPath, ['tools/scripts/check/synthesize-again.ts', output], {
      cwd: tree,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return new Map(
      stageNames.map((stage) => {
        const text = readFileSync(join(output, stage, `Marquee-${stage}.template.json`), 'utf8');
        const template = JSON.stringify(JSON.parse(text), null, 1).replaceAll(/\b[0-9a-f]{64}\b/g, 'hash');
        return [stage, template.split('\n')];
      }),
    );
  } finally {
    git('worktree', 'remove', '--force', tree);
  }
};

/** The lines that only `some` has, each as often as it is missing in `others`. */
const missing = (some: readonly string[], others: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return some.filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
};

const [before, after] = process.argv.slice(2);
if (before === undefined) throw new Error('Give a commit, for example: same-templates.ts origin/main');
try {
  const commits = [before, after ?? 'HEAD'].map((name) => git('rev-parse', name));
  const [first, second] = commits.map(templatesOf);
  for (const stage of stageNames) {
    const one = first?.get(stage) ?? [];
    const other = second?.get(stage) ?? [];
    const differences = [
      ...missing(one, other).map((line) => `  - ${line.trim()}`),
      ...missing(other, one).map((line) => `  + ${line.trim()}`),
    ];
    const isSame = one.join('\n') === other.join('\n');
    console.log(isSame ? `${stage}: the same` : [`${stage}: differs`, ...differences].join('\n'));
    if (!isSame) process.exitCode = 1;
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
