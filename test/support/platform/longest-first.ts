import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, slowest first. They start first, because a slow file that starts last runs alone at the end.
 * File sizes do not show which files are slow. Files that are not listed come after these.
 */
const longest = [
  'test/simulation/simulation.test.ts',
  'test/simulation/redelivery.test.ts',
  'test/integration/nft/chain.test.ts',
  'test/integration/nft/restore.test.ts',
  'test/integration/nft/operator-actions.test.ts',
  'test/integration/nft/updates.test.ts',
  'test/integration/nft/hidden-transactions.test.ts',
  'test/integration/nft/claims.test.ts',
  'test/integration/notifications/redelivery.test.ts',
  'test/integration/nft/database-faults.test.ts',
  'test/integration/nft/taken-back.test.ts',
  'test/integration/platform/aws-calls.test.ts',
  'test/integration/nft/untrue-endpoints.test.ts',
  'test/integration/nft/supply.test.ts',
  'test/integration/nft/revocations.test.ts',
  'test/integration/nft/later-data.test.ts',
  'test/integration/ott/scheduled-match.test.ts',
  'test/integration/nft/batches.test.ts',
  'test/integration/nft/crashes.test.ts',
  'test/integration/nft/calls.test.ts',
  'test/integration/nft/signers.test.ts',
  'test/integration/nft/token-lists.test.ts',
  'test/integration/stage/restore.test.ts',
  'test/integration/stage/import-documents.test.ts',
  'test/integration/stage/verdict.test.ts',
  'test/integration/wallets/link-wallet.test.ts',
  'test/integration/ott/import-cost.test.ts',
  'test/integration/users/user-calls.test.ts',
  'test/integration/ott/sessions.test.ts',
  'test/integration/nft/rising-fees.test.ts',
  'test/integration/ott/tickets-over-time.test.ts',
  'test/e2e/users/user-data.test.ts',
  'test/e2e/platform/runtime.test.ts',
  'test/e2e/nft/nft-calls.test.ts',
  'test/e2e/ott/ott.test.ts',
  'test/drills/ott/tickets.test.ts',
  'test/drills/stage/remedies.test.ts',
  'test/drills/platform/release.test.ts',
  'test/drills/stage/operator.test.ts',
  'test/drills/platform/switched-off.test.ts',
  'test/drills/platform/nightly.test.ts',
  'test/drills/nft/bursts.test.ts',
  'test/drills/nft/limited-supply.test.ts',
  'test/drills/platform/clients.test.ts',
  'test/drills/ott/player.test.ts',
  'test/drills/nft/nft-survives-kill.test.ts',
  'test/drills/users/user-data-survives-kill.test.ts',
  'test/drills/platform/documentation.test.ts',
  'test/drills/stage/console.test.ts',
  'test/drills/platform/behind-distribution.test.ts',
  'test/drills/platform/concurrency.test.ts',
  'test/drills/stage/operator-policy.test.ts',
  'test/drills/platform/demo.test.ts',
  'test/drills/platform/adverse.test.ts',
  'test/drills/platform/cdk-deploy.test.ts',
];

/**
 * Sorts the files in a checkout that has not run any tests yet. After the first run, Vitest knows the durations itself.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const gone = longest.find((file) => !existsSync(resolve(root, file)));
    if (gone !== undefined)
      throw new Error(`${gone} is no longer there: test/support/platform/longest-first.ts`);
    const sorted = await super.sort(files);
    if (sorted.some((file) => this.ctx.cache.getTestSpecificationResult(file) !== undefined)) return sorted;
    const place = ({ moduleId }: TestSpecification): number => {
      const index = longest.indexOf(relative(root, moduleId));
      return index === -1 ? longest.length : index;
    };
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((one, other) => place(one) - place(other)),
    );
  }
}
