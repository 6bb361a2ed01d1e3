import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Transition, transitions } from '../../../shared/nft/transactions/transitions.ts';
import type { EntryStatus } from '../../../shared/platform/watched.ts';

/**
 * The table as a state diagram: an arrow for each transition that changes the status, and one arrow for each status
 * with all transitions that keep it.
 */
const diagram = (): string => {
  const table = Object.entries<Transition>(transitions);
  const moves = table.flatMap(([name, { from, to, when }]) =>
    to === undefined ? [] : from.map((status) => `  ${status} --> ${to}: ${name} (${when})`),
  );
  const statuses: readonly EntryStatus[] = ['pending', 'confirmed', 'failed', 'superseded'];
  const stays = statuses.map((status) => {
    const names = table.filter(([, { from, to }]) => to === undefined && from.includes(status));
    return `  ${status} --> ${status}: ${names.map(([name]) => name).join(', ')}`;
  });
  return ['stateDiagram-v2', '  [*] --> pending: record', ...moves, ...stays].join('\n');
};

describe('the transitions of a log entry', () => {
  it('match the diagram in docs/transactions.md', () => {
    const page = readFileSync(new URL('../../../docs/transactions.md', import.meta.url), 'utf8');
    const [, drawn] = /```mermaid\n([\s\S]*?)\n```/.exec(page) ?? [];

    expect(drawn).toBe(diagram());
  });

  it('start from pending only, so that no outcome ever changes; a superseded entry has none', () => {
    for (const [name, { from, to }] of Object.entries<Transition>(transitions)) {
      if (to !== undefined) expect(from).toEqual([name === 'reopen' ? 'superseded' : 'pending']);
    }
  });
});
