import { Argument, Command, Option } from 'commander';
import { dynamoDbEvents } from '../../shared/adapters/dynamodb/events.ts';
import {
  type EventAccess,
  type EventStatus,
  eventAccesses,
  eventStatuses,
} from '../../shared/ott/event-kinds.ts';
import { positiveInteger } from '../arguments.ts';
import { readEventFile } from '../events/event-file.ts';
import { type ImportOutcome, importEvents } from '../events/import-events.ts';
import { listEvents } from '../events/list-events.ts';
import { setEventStatus } from '../events/stored-events.ts';
import { operatorOf } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import { readText } from '../read-file.ts';
import { documentsOf } from '../stores.ts';
import type { Target } from '../target.ts';

const importFile = () =>
  new Command('import')
    .description('bring in events, new or changed, from a JSON array or, as *.csv, from a table')
    .argument('<file>', 'the file; an event that is wrong is reported with its line and left as it was')
    .action(async (file: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const entries = readEventFile({ file, text: await readText(file) });
      const outcomes = await importEvents({
        entries,
        events: dynamoDbEvents(eventStoreOf(target)),
      });
      output.rows(
        ['line', 'event_id', 'outcome', 'reason'],
        outcomes.map(({ line, id, outcome, reasons }) => ({
          line,
          event_id: id,
          outcome,
          reason: reasons.length === 0 ? undefined : reasons.join('; '),
        })),
      );
      output.remark(summaryOf(outcomes));
      const left = outcomes.filter(({ outcome }) => outcome === 'refused' || outcome === 'failed');
      if (left.length > 0) {
        throw new OperatorError({
          message: `${left.length} of ${outcomes.length} events were not imported and are as they were.`,
        });
      }
    });

const summaryOf = (outcomes: readonly ImportOutcome[]): string => {
  const counts = Object.groupBy(outcomes, ({ outcome }) => outcome);
  const parts = Object.entries(counts).map(([outcome, those]) => `${those.length} ${outcome}`);
  return parts.length === 0 ? 'The file holds no events.' : `${parts.join(', ')}.`;
};

const eventStoreOf = (target: Target) => ({
  client: documentsOf(target),
  tableName: target.output('EventsTable'),
});

interface ListOptions {
  readonly status?: EventStatus;
  readonly access?: EventAccess;
  readonly limit: number;
}

const list = () =>
  new Command('list')
    .description('show the catalogue, newest start first, whoever may see it')
    .addOption(new Option('--status <status>', 'those of one status only').choices(eventStatuses))
    .addOption(new Option('--access <access>', 'free ones or paid ones only').choices(eventAccesses))
    .option('--limit <number>', 'show at most so many', positiveInteger, 100)
    .action(async (options: ListOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const found = await listEvents({ events: dynamoDbEvents(eventStoreOf(target)), ...options });
      output.rows(
        ['event_id', 'status', 'access', 'starts_at', 'title', 'categories', 'stream'],
        found.events.map(({ id, status, access, startsAt, title, categories, stream }) => ({
          event_id: id,
          status,
          access,
          starts_at: startsAt,
          title,
          categories: categories.join(', '),
          stream: stream?.type,
        })),
      );
      if (!found.isAll) output.remark(`There are more than ${options.limit}: see --limit.`);
    });

const setStatus = () =>
  new Command('set-status')
    .description(`move an event to another status: ${eventStatuses.join(', ')}`)
    .argument('<id>', 'the event')
    .addArgument(new Argument('<status>', 'its new status').choices(eventStatuses))
    .action(async (id: string, status: EventStatus, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const { event, before } = await setEventStatus({ ...eventStoreOf(target), id, status });
      output.record({ event_id: event.id, status: event.status, before });
    });

export const events = (): Command =>
  new Command('events')
    .description('the catalogue of OTT events')
    .addCommand(importFile())
    .addCommand(list())
    .addCommand(setStatus());
