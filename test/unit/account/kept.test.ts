import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keptAfterErasure, keptThings } from '../../../shared/account/kept.ts';

const guide = readFileSync(new URL('../../../docs/customer-guide.md', import.meta.url), 'utf8');

describe('what stays of an erased user', () => {
  it('is in the table of the guide, each thing in a row', () => {
    const table = guide.slice(guide.indexOf('#### What stays of an erased user')).split('\n####')[0] ?? '';
    const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, what]) => what);

    expect(rows).toEqual(['what', ...keptThings]);
  });

  it('is kept for as many days as items have until they expire, and two more', () => {
    const kept = keptAfterErasure({ logs: 90, backups: 35 });

    expect(Object.fromEntries(kept.map(({ what, days }) => [what, days]))).toEqual({
      removal: 32,
      application_user_subs: 32,
      wallet_challenges: 3,
      notifications: 32,
      sessions: 4,
      logs: 90,
      backups: 35,
      reserved_tokens: undefined,
      tokens_on_chain: undefined,
      copies_of_applications: undefined,
    });
  });
});
