import type { ImportRow } from './import-row.ts';

/** The largest share of the catalogue that an import may delete, unless its brake is lifted. */
export const largestDeletion = 0.05;

/**
 * What keeps an import from deleting missing events: events of the file that are `refused`, because the file may be
 * incomplete, and too many `deletions`.
 */
export const brakes = ['refused', 'deletions'] as const;
export type Brake = (typeof brakes)[number];

/** An import whose deletions are held: nothing was written. */
export class BrakesHoldError extends Error {
  readonly held: readonly Brake[];
  /** What the import would do. */
  readonly rows: readonly ImportRow[];
  /** How many events are stored. */
  readonly size: number;

  constructor({ held, rows, size }: Pick<BrakesHoldError, 'held' | 'rows' | 'size'>) {
    super(`The import is held: ${held.join(', ')}`);
    this.held = held;
    this.rows = rows;
    this.size = size;
  }
}

/** @throws BrakesHoldError if a brake holds that is not lifted. */
export const requireNoBrake = ({
  rows,
  size,
  force,
}: {
  readonly rows: readonly ImportRow[];
  readonly size: number;
  readonly force: readonly Brake[];
}): void => {
  const deletions = rows.filter(({ outcome }) => outcome === 'deleted').length;
  if (deletions === 0) return;
  const holds: Record<Brake, boolean> = {
    refused: rows.some(({ outcome }) => outcome === 'refused'),
    deletions: deletions > size * largestDeletion,
  };
  const held = brakes.filter((brake) => holds[brake] && !force.includes(brake));
  if (held.length > 0) throw new BrakesHoldError({ held, rows, size });
};
