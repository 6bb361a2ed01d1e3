import { readEventFile } from '../../operator/ott/events/event-file.ts';
import { brakes, importEvents } from '../../operator/ott/events/import-events.ts';
import { readText } from '../../operator/platform/terminal/read-file.ts';
import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { historyPrefix } from '../../shared/ott/store/history.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { documentClientOf } from '../../shared/platform/store/client.ts';

/**
 * Imports a file, then prints the time since the process started, its peak memory and the outcomes. With
 * `--without-history`, no history of the events is written.
 */
const [endpoint = '', tableName = '', file = ''] = process.argv.slice(2);
const documents = documentClientOf({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
});
const isHistory = (key: unknown): boolean => String(key).startsWith(historyPrefix);
const client: typeof documents = process.argv.includes('--without-history')
  ? {
      ...documents,
      transactWrite: ({ TransactItems, ...input }) =>
        documents.transactWrite({
          ...input,
          TransactItems: TransactItems?.filter(({ Put }) => !isHistory(Put?.Item?.pk)),
        }),
    }
  : documents;
const rows = await importEvents(
  {
    catalogue: dynamoDbCatalogue({ client, tableName }),
    clock: systemClock,
    holdings: { notErc721: async () => [] },
    showProgress: () => {},
  },
  {
    entries: readEventFile({ file, text: await readText(file) }),
    signing: 'cookies',
    overwriteStatus: false,
    deleteMissing: process.argv.includes('--delete-missing'),
    force: brakes,
    dryRun: false,
  },
);
const outcomes: Record<string, number> = {};
for (const { outcome } of rows) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
console.log(
  JSON.stringify({
    seconds: performance.now() / 1_000,
    megabytes: process.resourceUsage().maxRSS / 1_024,
    outcomes,
  }),
);
