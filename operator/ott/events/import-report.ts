import { changeText } from '../../../shared/ott/catalogue/field-changes.ts';
import type { ImportRow, KeptEnd } from '../../../shared/ott/catalogue/import-row.ts';
import { counted, part } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { scheduleText } from './event-cells.ts';

/** How many of the events that would open are named in the question. */
const namedAtMost = 20;

/** The question before restrictions of LIVE events are loosened. */
export const questionAbout = (openings: readonly ImportRow[]): string => {
  const named = openings
    .slice(0, namedAtMost)
    .map(({ id, loosens = [] }) => `  ${id}: ${loosens.join(', ')}`);
  const others = openings.length > namedAtMost ? [`  and ${openings.length - namedAtMost} more`] : [];
  return [
    `This import loosens restrictions of ${counted(openings.length, 'LIVE event')}:`,
    ...named,
    ...others,
    'Import the file?',
  ].join('\n');
};

const isWorthSaying = ({ outcome, keptStatus, keptEnds, loosens }: ImportRow): boolean =>
  outcome === 'refused' ||
  outcome === 'failed' ||
  keptStatus !== undefined ||
  keptEnds !== undefined ||
  loosens !== undefined;

export const showRows = (rows: readonly ImportRow[], output: Output): void =>
  output.lines(['line', 'event_id', 'outcome', 'detail'], rows.map(shownRow));

/**
 * Shows what an import has done, or would do.
 *
 * @throws OperatorError if events of the file are not imported.
 */
export const report = ({
  rows,
  dryRun,
  verbose,
  output,
}: {
  readonly rows: readonly ImportRow[];
  readonly dryRun: boolean;
  readonly verbose: boolean;
  readonly output: Output;
}): void => {
  const shown = rows.filter(
    (row) => verbose || isWorthSaying(row) || (dryRun && row.outcome !== 'unchanged'),
  );
  showRows(shown, output);
  const counts = Object.groupBy(rows, ({ outcome }) => outcome);
  const totals = Object.entries(counts).map(([outcome, those]) => `${those.length} ${outcome}`);
  const keptCount = rows.filter(({ keptStatus }) => keptStatus !== undefined).length;
  const takenCount = rows.filter(isBlockTaken).length;
  const taken = takenCount === 0 ? [] : [`of ${counted(takenCount, 'refused event')} the block is taken`];
  const kept = keptCount === 0 ? [] : [`${keptCount} kept the status that was set by hand`];
  const summary =
    rows.length === 0 ? 'The file contains no events.' : `${[...totals, ...taken, ...kept].join(', ')}.`;
  const isWritten =
    takenCount > 0 || rows.some(({ outcome }) => outcome !== 'unchanged' && outcome !== 'refused');
  const nothing = isWritten ? '' : ' Nothing was written.';
  output.remark(dryRun ? `${summary} This was a dry run: nothing was written.` : `${summary}${nothing}`);
  const left = (counts.refused?.length ?? 0) + (counts.failed?.length ?? 0);
  if (left > 0) {
    throw new OperatorError({
      message: dryRun
        ? `${part(left, rows.length, 'event')} would not be imported.`
        : `${part(left, rows.length, 'event')} ${left === 1 ? 'was not imported; its stored version is' : 'were not imported; their stored versions are'} unchanged${takenCount > 0 ? ` except for ${counted(takenCount, 'block')}` : ''}.`,
    });
  }
};

/**
 * For a refused row, `fields` are the fields with which the row restricts the event, which were written nevertheless.
 */
const isBlockTaken = ({ outcome, fields }: ImportRow): boolean => outcome === 'refused' && fields.length > 0;

const endText = (end: KeptEnd['stored']): string => (typeof end === 'string' ? end : scheduleText(end));

const shownRow = (row: ImportRow) => {
  const { line, id, outcome, fields, keptStatus, keptEnds = [], loosens, reasons } = row;
  return {
    line,
    event_id: id,
    outcome,
    detail:
      [
        ...reasons,
        ...(loosens === undefined ? [] : [`loosens ${loosens.join(', ')}`]),
        ...(isBlockTaken(row) ? ['its block is taken all the same'] : []),
        ...fields.map(changeText),
        ...(keptStatus === undefined
          ? []
          : [`keeps ${keptStatus.stored}, which was set by hand, instead of the file's ${keptStatus.file}`]),
        ...keptEnds.map(
          (end) =>
            `keeps ${end.field} ${endText(end.stored)}, which was extended, instead of the file's ${endText(end.file)}`,
        ),
      ].join('; ') || undefined,
  };
};
