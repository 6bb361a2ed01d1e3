import type { EventRepository } from '../../shared/ott/ports/event-repository.ts';
import type { Entry } from './event-file.ts';

export interface ImportOutcome {
  readonly line: number;
  readonly id: string | undefined;
  /** `refused` and `failed` leave the stored event as it was; a failed one may be tried again. */
  readonly outcome: 'created' | 'replaced' | 'unchanged' | 'refused' | 'failed';
  readonly reasons: readonly string[];
}

const atOnce = 16;

/**
 * Writes the good events of a file, each as a whole or not at all, and says for every line what came of it.
 * To import a file again changes nothing.
 */
export const importEvents = async ({
  entries,
  events,
}: {
  readonly entries: readonly Entry[];
  readonly events: Pick<EventRepository, 'save'>;
}): Promise<ImportOutcome[]> => {
  const outcomes: ImportOutcome[] = [];
  const rest = [...entries.entries()];
  const work = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      const [index, entry] = next;
      outcomes[index] = await importOne(entry, events);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
};

const importOne = async (entry: Entry, events: Pick<EventRepository, 'save'>): Promise<ImportOutcome> => {
  const { line, id } = entry;
  if ('mistakes' in entry) return { line, id, outcome: 'refused', reasons: entry.mistakes };
  try {
    return { line, id, outcome: await events.save(entry.event), reasons: [] };
  } catch (error) {
    return { line, id, outcome: 'failed', reasons: [error instanceof Error ? error.message : String(error)] };
  }
};
