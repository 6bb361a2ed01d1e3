import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Command, InvalidArgumentError } from 'commander';
import { forgetClaimsOfEnded } from '../../../shared/account/forget-user.ts';
import { toldAbout } from '../../../shared/notifications/record/told-about.ts';
import { changeTime } from '../../../shared/platform/time/date-time.ts';
import { tombstoneRetentionMilliseconds } from '../../../shared/users/user.ts';
import { forgettingOf } from '../../account/stage-forgetting.ts';
import { finishing } from '../../nft/restore/finishing.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { documentsOf, notificationRecordsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import { UsageError } from '../../platform/terminal/operator-error.ts';
import { withProgress } from '../../platform/terminal/progress.ts';
import { copyTables } from './copy-tables.ts';
import { beginRestore, deletionsKnownUntil, restoredTable } from './restored-table.ts';
import { dayMilliseconds, notRestored, type RestorableName, restorable } from './tables.ts';

const tablePollMilliseconds = 2_000;

interface Wanted {
  readonly name: RestorableName;
  /** The table with the earlier state. @default the one that is restored to the moment */
  readonly source: string | undefined;
}

const isRestorable = (name: string): name is RestorableName => Object.hasOwn(restorable, name);

/** @throws UsageError for a table that is unknown or never restored */
const wantedTable = (text: string): Wanted => {
  const [name = '', source] = text.split('=');
  if (isRestorable(name)) return { name, source };
  const { why } = notRestored[name] ?? {};
  throw new UsageError({
    message:
      why === undefined
        ? `There is no table ${name}. These can be restored: ${Object.keys(restorable).join(', ')}.`
        : `The table ${name} is not restored. ${why}`,
  });
};

const momentOf = (text: string): Date => {
  const moment = new Date(text);
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(text) && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError('It must be a time in UTC such as 2026-11-20T09:15:00Z.');
};

interface RestoreOptions {
  readonly moment?: Date;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface Order {
  readonly wanted: readonly Wanted[];
  readonly moment: Date | undefined;
}

/** @throws UsageError for an earlier state after which something was deleted that may not be remembered any more */
const requireKnownDeletions = async (
  target: Target,
  database: DynamoDBClient,
  { wanted, moment }: Order,
): Promise<void> => {
  for (const { name, source } of wanted) {
    const table = restorable[name];
    if (!('deletionsDays' in table)) continue;
    const { deletionsDays, output } = table;
    const until =
      source === undefined
        ? moment
        : await deletionsKnownUntil(database, { name: source, liveName: target.output(output) });
    if (until === undefined || Date.now() - until.getTime() < deletionsDays * dayMilliseconds) continue;
    throw new UsageError({
      message: `Of the table ${name}, only what was deleted in the last ${deletionsDays} days is remembered. What was deleted before, since ${until.toISOString()}, would come back.`,
    });
  }
};

/**
 * For each wanted table, by its name: the name of the table with its earlier state. DynamoDB begins to restore all of
 * them.
 */
const sourcesOf = async (
  target: Target,
  database: DynamoDBClient,
  { wanted, moment }: Order,
): Promise<ReadonlyMap<RestorableName, string>> => {
  const sources = new Map<RestorableName, string>();
  for (const { name, source } of wanted) {
    const tableName = target.output(restorable[name].output);
    if (source !== undefined) sources.set(name, source);
    else if (moment !== undefined) sources.set(name, await beginRestore(database, { tableName, moment }));
    else throw new UsageError({ message: `Add --moment, or ${name}= and the table with the earlier state.` });
  }
  return sources;
};

/**
 * A token that comes back may name a user who was removed since the moment, and whose claims were forgotten. As long as
 * identifiers of removed users are kept, they are found.
 */
const forgetAgain = async (target: Target): Promise<void> => {
  const since = changeTime({ milliseconds: Date.now() - tombstoneRetentionMilliseconds });
  await forgetClaimsOfEnded(forgettingOf(target), { since });
};

export const restore = (): Command =>
  new Command('restore')
    .description(
      'bring back what tables have lost since a moment; what is there stays, and the same command can be run again',
    )
    .argument(
      '<table...>',
      'a table, or table=NAME to bring back what the table NAME has instead of restoring one to the moment',
    )
    .option(
      '--moment <time>',
      'the moment to which DynamoDB restores, such as 2026-11-20T09:15:00Z',
      momentOf,
    )
    .option('--dry-run', 'only count; DynamoDB restores its tables, and nothing else is written')
    .option(...yesOption)
    .action(async (texts: readonly string[], options: RestoreOptions, command: Command) => {
      const { moment, dryRun: isDryRun = false, yes } = options;
      const wanted = texts.map(wantedTable);
      const { target, output } = await operatorOf(command);
      const database = new DynamoDBClient(target.aws);
      await requireKnownDeletions(target, database, { wanted, moment });
      if (!isDryRun) {
        const named = wanted.map(({ name }) => name).join(', ');
        const question = `Bring back what the stage ${target.stage} has lost of ${named}?`;
        await requireConsent({ question, yes });
      }
      const { signing } = stageSettings(target.stage).ott.playback;
      const ending = finishing(target, output);
      await withProgress(async (progress) => {
        const sources = await sourcesOf(target, database, { wanted, moment });
        let looked = 0;
        const left: string[] = [];
        const rows = await copyTables({
          client: documentsOf(target),
          sources,
          context: {
            liveName: target.output,
            signing,
            toldAbout: (entry) => toldAbout({ records: notificationRecordsOf(target) }, entry),
            ...ending.context,
          },
          isDryRun,
          clock: Date.now,
          ready: async ({ source, live }) => {
            looked = 0;
            await restoredTable(database, {
              name: source,
              liveName: live,
              wait: async () => {
                progress.show(`waiting for ${source}`);
                await setTimeout(tablePollMilliseconds);
              },
            });
          },
          onItems: (name, count) => {
            looked += count;
            progress.show(`${name}: ${looked} items`);
          },
          onLeft: (why) => left.push(why),
        });
        progress.end();
        output.rows(
          ['table', 'kind', 'written', 'kept', 'left'],
          rows.map((row) => ({ ...row })),
        );
        for (const why of left.toSorted()) output.remark(why);
        await ending.finish({ isDryRun, progress });
        if (!isDryRun && sources.has('nfts')) await forgetAgain(target);
      });
      if (isDryRun) output.remark('Nothing was written: `written` is what would be.');
    });
