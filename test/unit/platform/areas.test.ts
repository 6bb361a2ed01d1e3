import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areas, checkOrderOfAreas, wrongImports } from '../../../tools/scripts/check/order-of-areas.ts';

const foldersIn = (path: string): string[] =>
  readdirSync(new URL(`../../../${path}/`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

describe('the list of areas', () => {
  it('equals the list of folders in shared and operator together', () => {
    expect(new Set([...foldersIn('shared'), ...foldersIn('operator')])).toEqual(new Set(areas));
  });

  it.each(['functions', 'lib', 'test/unit', 'test/integration', 'test/e2e', 'test/drills', 'test/support'])(
    'contains every folder in %s',
    (path) => {
      const folders = foldersIn(path);

      expect(folders.length).toBeGreaterThan(1);
      expect(areas).toEqual(expect.arrayContaining(folders));
    },
  );
});

describe('the order of areas', () => {
  it.each([
    ['shared/nft/entry.ts', '../notifications/messages/message.ts'],
    ['shared/platform/outage.ts', '../nft/errors.ts'],
    ['shared/users/user.ts', '../wallets/wallet.ts'],
    ['shared/users/user.ts', '../notifications/messages/message.ts'],
    ['shared/wallets/wallet.ts', '../nft/errors.ts'],
    ['shared/ott/errors.ts', '../notifications/messages/message.ts'],
    ['shared/chain/hex.ts', '../nft/errors.ts'],
    ['functions/platform/dependencies.ts', '../../shared/chain/rpc/rpc-endpoints.ts'],
    ['lib/users/user-data.ts', '../notifications/notification-topic.ts'],
    ['lib/wallets/wallets.ts', '../nft/nft.ts'],
    ['operator/platform/target/stores.ts', '../../stage/find/find.ts'],
    ['operator/nft/signers/command.ts', '../../stage/applications/shown.ts'],
  ])('forbids %s to import %s', (file, path) => {
    expect(wrongImports(file, `import type { Some } from '${path}';`)).toHaveLength(1);
    expect(wrongImports(file, `const { some } = await import('${path}');`)).toHaveLength(1);
  });

  it.each([
    ['shared/nft/entry.ts', '../wallets/wallet.ts'],
    ['shared/nft/entry.ts', './purpose.ts'],
    ['lib/marquee-stack.ts', './notifications/notifications.ts'],
    ['operator/platform/target/stores.ts', '../../../shared/nft/store/daily-counts.ts'],
  ])('lets %s import %s', (file, path) => {
    expect(wrongImports(file, `import { some } from '${path}';`)).toEqual([]);
  });

  it('holds for every file', async () => {
    expect(await checkOrderOfAreas()).toEqual([]);
  });
});
