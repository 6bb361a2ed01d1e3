import { type Brake, BrakesHoldError, largestDeletion } from '../../../shared/ott/catalogue/import-brakes.ts';
import {
  type ImportEventsDependencies as Dependencies,
  type ImportInput,
  importEvents,
  type Progress,
} from '../../../shared/ott/catalogue/import-events.ts';
import type { ImportRow } from '../../../shared/ott/catalogue/import-row.ts';
import { counted, part } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

export { type Brake, brakes } from '../../../shared/ott/catalogue/import-brakes.ts';
export type { ImportInput } from '../../../shared/ott/catalogue/import-events.ts';

export interface ImportDependencies extends Omit<Dependencies, 'onProgress'> {
  readonly showProgress: (text: string) => void;
}

/** An import whose deletions are held: nothing was written. */
export class HeldImportError extends OperatorError {
  /** What the import would do. */
  readonly rows: readonly ImportRow[];

  constructor({ held, rows, size }: BrakesHoldError) {
    super({
      message: ['Nothing was changed.', ...held.map((brake) => sentenceAbout(brake, { rows, size }))].join(
        '\n',
      ),
    });
    this.rows = rows;
  }
}

/**
 * Imports the events of a file, and returns the outcome for each event.
 *
 * @throws HeldImportError when a brake holds that is not lifted.
 */
export const importEventFile = async (
  { showProgress, ...dependencies }: ImportDependencies,
  input: ImportInput,
): Promise<readonly ImportRow[]> => {
  try {
    return await importEvents(
      { ...dependencies, onProgress: (progress) => showProgress(progressText(progress)) },
      input,
    );
  } catch (cause) {
    throw cause instanceof BrakesHoldError ? new HeldImportError(cause) : cause;
  }
};

const progressText = ({ step, count, total }: Progress): string => {
  switch (step) {
    case 'compared':
      return `Compared ${count} events with what is stored`;
    case 'read':
      return `Read ${count} stored events`;
    case 'written':
      return `Wrote ${count} of ${total} changes`;
  }
};

const sentenceAbout = (brake: Brake, { rows, size }: Pick<BrakesHoldError, 'rows' | 'size'>): string => {
  const counts = Object.groupBy(rows, ({ outcome }) => outcome);
  const deletions = counts.deleted?.length ?? 0;
  switch (brake) {
    case 'refused': {
      const [first, ...others] = counts.refused ?? [];
      const where = `${others.length > 0 ? 'the first is ' : ''}on line ${first?.line}: ${first?.reasons.join('; ')}`;
      return `${counted(others.length + 1, 'event of the file is', 'events of the file are')} refused (${where}), so the file may be incomplete. Correct it, or add --force refused to delete ${deletions === 1 ? 'the stored event that is' : `the ${deletions} stored events that are`} not in the file nevertheless.`;
    }
    case 'deletions':
      return `${part(deletions, size, 'event')} would be deleted, which is more than ${largestDeletion * 100} %. Add --force deletions to delete ${deletions === 1 ? 'it' : 'them'}.`;
  }
};
