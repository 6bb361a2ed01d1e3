import { Command } from 'commander';
import type { Address } from '../../../shared/nft/hex.ts';
import { changeText } from '../../../shared/ott/catalogue/field-changes.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { operatorOf } from '../../platform/stage/operator.ts';
import { stageSettings } from '../../platform/stage/stage-settings.ts';
import { requireConsent } from '../../platform/terminal/confirm.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { withProgress } from '../../platform/terminal/progress.ts';
import { readText } from '../../platform/terminal/read-file.ts';
import { ineffectiveVoids } from '../tickets/ineffective-voids.ts';
import { ticketHoldingsOf, voidTicketsOf } from '../tickets/ticket-stores.ts';
import { editedCatalogueOf } from './edited-catalogue.ts';
import { readEventFile } from './event-file.ts';
import { importEvents } from './import-events.ts';
import type { ImportRow } from './import-plan.ts';

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly overwriteStatus?: boolean;
  readonly deleteMissing?: boolean;
  readonly force?: boolean;
  readonly verbose?: boolean;
  readonly yes?: boolean;
}

export const importFile = () =>
  new Command('import')
    .description(
      'import new and changed events from a JSON array or a *.csv table; a field or column that is left out keeps what is stored',
    )
    .argument(
      '<file>',
      'the file; an invalid event is reported with its line, and of it only what blocks the stored event is taken',
    )
    .option(
      '--dry-run',
      'write nothing; show which events would be created, changed (field by field), kept and deleted',
    )
    .option('--overwrite-status', "use the file's status even for events whose status was set by hand")
    .option(
      '--delete-missing',
      'the file is the whole catalogue: delete every event that it does not contain, except LIVE ones',
    )
    .option(
      '--force',
      'delete even if events of the file are refused, or more than 5 % of the catalogue would be deleted',
    )
    .option(
      '--verbose',
      'show every event, not only those that were refused, failed, kept a status or an end, or loosen a restriction',
    )
    .option('--yes', 'do not ask before restrictions of LIVE events are loosened')
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const { dryRun = false, verbose = false } = options;
      const { target, output } = await operatorOf(command);
      const catalogue = await editedCatalogueOf(target);
      const holdings = ticketHoldingsOf(target);
      const contracts = new Set<Address>();
      const entries = readEventFile({ file, text: await readText(file) });
      const rows = await withProgress((progress) =>
        importEvents(
          {
            catalogue,
            clock: systemClock,
            holdings: {
              notErc721: (asked) => {
                for (const contract of asked) contracts.add(contract);
                return holdings.notErc721(asked);
              },
            },
            showProgress: progress.show,
            requireConsent: async (openings) => {
              progress.end();
              await requireConsent({ question: questionAbout(openings), yes: options.yes });
            },
          },
          {
            entries,
            signing: stageSettings(target.stage).ott.playback.signing,
            overwriteStatus: options.overwriteStatus ?? false,
            deleteMissing: options.deleteMissing ?? false,
            force: options.force ?? false,
            dryRun,
          },
        ),
      );
      const voidTickets = voidTicketsOf(target);
      for (const sentence of await ineffectiveVoids({ voidTickets, holdings }, [...contracts])) {
        output.remark(`${sentence}.`);
      }
      report({ rows, dryRun, verbose, output });
    });

/** How many of the events that would open are named in the question. */
const namedAtMost = 20;

const questionAbout = (openings: readonly ImportRow[]): string => {
  const named = openings
    .slice(0, namedAtMost)
    .map(({ id, loosens = [] }) => `  ${id}: ${loosens.join(', ')}`);
  const others = openings.length > namedAtMost ? [`  and ${openings.length - namedAtMost} more`] : [];
  return [
    `This import loosens restrictions of ${openings.length} LIVE ${openings.length === 1 ? 'event' : 'events'}:`,
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

const report = ({
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
  output.lines(['line', 'event_id', 'outcome', 'detail'], shown.map(shownRow));
  const counts = Object.groupBy(rows, ({ outcome }) => outcome);
  const totals = Object.entries(counts).map(([outcome, those]) => `${those.length} ${outcome}`);
  const keptCount = rows.filter(({ keptStatus }) => keptStatus !== undefined).length;
  const takenCount = rows.filter(isBlockTaken).length;
  const taken = takenCount === 0 ? [] : [`of ${takenCount} refused events the block is taken`];
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
        ? `${left} of ${rows.length} events would not be imported.`
        : `${left} of ${rows.length} events were not imported; their stored versions are unchanged${takenCount > 0 ? ' except for the blocks' : ''}.`,
    });
  }
};

/**
 * For a refused row, `fields` are the fields with which the row restricts the event, which were written nevertheless.
 */
const isBlockTaken = ({ outcome, fields }: ImportRow): boolean => outcome === 'refused' && fields.length > 0;

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
          (end) => `keeps ${end.field} ${end.stored}, which was extended, instead of the file's ${end.file}`,
        ),
      ].join('; ') || undefined,
  };
};
