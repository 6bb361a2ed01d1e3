import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';
import { type Checkout, checkoutAt } from './checkout.ts';
import { type DeployStageDependencies, deployStage } from './deploy.ts';

const git = (checkout: Pick<Checkout, 'root'>, ...parameters: readonly string[]): string =>
  execFileSync('git', parameters, {
    cwd: checkout.root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

/** The tag of the release before the checkout's commit. */
const releaseBefore = (checkout: Pick<Checkout, 'root'>): string => {
  try {
    return git(checkout, 'describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  } catch (cause) {
    throw new OperatorError({
      message: 'No tag v… is before this commit, so the release before is not known: name it with --to.',
      cause,
    });
  }
};

/**
 * Deploys the previous release, or the named one, from a checkout of its own. Uses no rollback triggers: during a
 * rollback, some alarm is usually red. Stored data stays as it is.
 *
 * @throws OperatorError when a step fails.
 */
export const rollBack = async (
  { checkout, stack, say }: Omit<DeployStageDependencies, 'checkout'> & { readonly checkout: Checkout },
  { stage, to, asks }: { readonly stage: string; readonly to: string | undefined; readonly asks: boolean },
): Promise<void> => {
  const release = to ?? releaseBefore(checkout);
  const folder = mkdtempSync(join(tmpdir(), 'marquee-rollback-'));
  try {
    await checkout.run('git', 'worktree', 'add', '--quiet', '--detach', folder, release);
    say(`Rolls back ${stage} to ${release}. What was stored stays as it is.`);
    const older = checkoutAt(folder);
    await older.run('npm', 'ci');
    await deployStage(
      { checkout: older, stack, say },
      { stage, isWatched: false, revertsDrift: false, asks },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
    git(checkout, 'worktree', 'prune');
  }
};
