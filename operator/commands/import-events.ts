import { Command } from 'commander';
import { dynamoDbCatalogue } from '../../shared/adapters/dynamodb/catalogue.ts';
import { readEventFile } from '../events/event-file.ts';
import { changeText } from '../events/field-changes.ts';
import { importEvents } from '../events/import-events.ts';
import type { ImportRow } from '../events/import-plan.ts';
import { ticketHoldingsOf } from '../events/ticket-stores.ts';
import { operatorOf } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import type { Output } from '../output.ts';
import { withProgress } from '../progress.ts';
import { readText } from '../read-file.ts';
import { stageSettings } from '../stage-settings.ts';
import { eventStoreOf } from '../stores.ts';

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly overwriteStatus?: boolean;
  readonly deleteMissing?: boolean;
  readonly force?: boolean;
  readonly verbose?: boolean;
}

export const importFile = () =>
  new Command('import')
    .description('import new and changed events from a JSON array or a *.csv table')
    .argument(
      '<file>',
      'the file; an invalid event is reported with its line, and the stored event stays as it was',
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
    .option('--verbose', 'show every event, not only those that were refused, failed or kept their status')
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const { dryRun = false, verbose = false } = options;
      const { target, output } = await operatorOf(command);
      const entries = readEventFile({ file, text: await readText(file) });
      const rows = await withProgress((progress) =>
        importEvents(
          {
            catalogue: dynamoDbCatalogue(eventStoreOf(target)),
            holdings: ticketHoldingsOf(target),
            showProgress: progress.show,
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
      report({ rows, dryRun, verbose, output });
    });

const isWorthSaying = ({ outcome, keptStatus }: ImportRow): boolean =>
  outcome === 'refused' || outcome === 'failed' || keptStatus !== undefined;

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
  const kept = keptCount === 0 ? [] : [`${keptCount} kept the status that was set by hand`];
  const summary = rows.length === 0 ? 'The file contains no events.' : `${[...totals, ...kept].join(', ')}.`;
  const writes = rows.filter(({ outcome }) => outcome !== 'unchanged' && outcome !== 'refused').length;
  const nothing = writes === 0 ? ' Nothing was written.' : '';
  output.remark(dryRun ? `${summary} This was a dry run: nothing was written.` : `${summary}${nothing}`);
  const left = (counts.refused?.length ?? 0) + (counts.failed?.length ?? 0);
  if (left > 0) {
    throw new OperatorError({
      message: dryRun
        ? `${left} of ${rows.length} events would not be imported.`
        : `${left} of ${rows.length} events were not imported; their stored versions are unchanged.`,
    });
  }
};

const shownRow = ({ line, id, outcome, fields, keptStatus, reasons }: ImportRow) => ({
  line,
  event_id: id,
  outcome,
  detail:
    [
      ...reasons,
      ...fields.map(changeText),
      ...(keptStatus === undefined
        ? []
        : [`keeps ${keptStatus.stored}, which was set by hand, instead of the file's ${keptStatus.file}`]),
    ].join('; ') || undefined,
});
