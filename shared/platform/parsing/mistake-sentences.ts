import type { Mistake } from './texts.ts';

/** What is wrong with a value: one sentence for each field, which begins with the name of the field. */
export const sentencesOf = (mistakes: readonly Mistake[]): string[] => {
  const firsts = new Map(
    mistakes
      .toReversed()
      .map((mistake) => [mistake.path.length === 0 ? mistake : mistake.path.join('.'), mistake]),
  );
  const told = new Set(firsts.values());
  return mistakes
    .filter((mistake) => told.has(mistake))
    .map(({ path, message }) => (path.length === 0 ? message : `${fieldName(path)}: ${message}`));
};

/** The name of a field for people, who count the entries of a list from 1: `schedule, entry 2, at`. */
const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) => {
      if (typeof step === 'number') return `, entry ${step + 1}`;
      const isInEntry = typeof path[index - 1] === 'number';
      return `${index === 0 ? '' : isInEntry ? ', ' : '.'}${String(step)}`;
    })
    .join('');

/** A mistake that names its field as HTTP responses do, `tickets[0].contract_address: …`, as `sentencesOf` names it. */
export const countedFromOne = (mistake: string): string =>
  mistake.replace(/^[\w.]+(?:\[\d+\][\w.]*)+(?=: )/, (field) =>
    fieldName(
      field
        .split(/[.[\]]+/)
        .filter((step) => step !== '')
        .map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
    ),
  );
