import { Command, InvalidArgumentError, Option } from 'commander';
import type { Address } from '../../../shared/chain/hex.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { requireConsent } from '../../platform/terminal/confirm.ts';
import { withProgress } from '../../platform/terminal/progress.ts';
import { readText } from '../../platform/terminal/read-file.ts';
import { ineffectiveVoids } from '../tickets/ineffective-voids.ts';
import { ticketHoldingsOf, voidTicketsOf } from '../tickets/ticket-stores.ts';
import { editedCatalogueOf } from './edited-catalogue.ts';
import { readEventFile } from './event-file.ts';
import { type Brake, brakes, HeldImportError, importEventFile } from './import-event-file.ts';
import { questionAbout, report, showRows } from './import-report.ts';

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly overwriteStatus?: boolean;
  readonly deleteMissing?: boolean;
  readonly force?: readonly Brake[];
  readonly verbose?: boolean;
  readonly yes?: boolean;
}

export const importFile = () =>
  new Command('import')
    .description(
      'import new and changed events from a JSON array or a table (*.csv, *.tsv, *.txt); a field or column that is left out keeps what is stored',
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
    .addOption(
      new Option(
        '--force <brake>',
        'delete although something speaks against it, and only that: `refused`, events of the file are refused; `deletions`, more than 5 % of the catalogue would be deleted; can be given twice',
      ).argParser(liftedBrakes),
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
      const imported = withProgress((progress) =>
        importEventFile(
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
            force: options.force ?? [],
            dryRun,
          },
        ),
      );
      const rows = await imported.catch((cause) => {
        // Whoever is told to correct the file sees everything that is wrong with it.
        if (cause instanceof HeldImportError)
          showRows(
            cause.rows.filter(({ outcome }) => outcome === 'refused'),
            output,
          );
        throw cause;
      });
      const voidTickets = voidTicketsOf(target);
      for (const sentence of await ineffectiveVoids({ voidTickets, holdings }, [...contracts])) {
        output.remark(`${sentence}.`);
      }
      report({ rows, dryRun, verbose, output });
    });

/** Reads the option `--force`, which can be given several times. */
const liftedBrakes = (text: string, before: readonly Brake[] = []): Brake[] => {
  const brake = brakes.find((each) => each === text);
  if (brake === undefined) throw new InvalidArgumentError(`Name what to lift: ${brakes.join(' or ')}.`);
  return [...before, brake];
};
