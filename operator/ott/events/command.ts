import { Argument, Command, Option } from 'commander';
import { deleteEvent, getDeletable } from '../../../shared/ott/catalogue/delete-event.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import { getStored } from '../../../shared/ott/catalogue/stored-event.ts';
import {
  type EventAccess,
  type EventStatus,
  eventAccesses,
  eventStatuses,
} from '../../../shared/ott/events/event-kinds.ts';
import { exportedEventRecord, shownEventRecord } from '../../../shared/ott/events/event-record.ts';
import { placeOf } from '../../../shared/ott/lists/index-partitions.ts';
import type { PastChange } from '../../../shared/ott/ports/event-history.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { dynamoDbEventHistory, historyAtMost } from '../../../shared/ott/store/history.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { applicationsOf, eventStoreOf } from '../../platform/target/stores.ts';
import { minutesOfADay, positiveInteger } from '../../platform/terminal/arguments.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import { counted } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { ineffectiveVoids } from '../tickets/ineffective-voids.ts';
import { contractApplicationsOf, ticketHoldingsOf, voidTicketsOf } from '../tickets/ticket-stores.ts';
import { unlimitedTickets } from '../tickets/unlimited-tickets.ts';
import { why } from '../why/command.ts';
import { checkEvents } from './check-events.ts';
import { importFile } from './command-import.ts';
import { editedCatalogueOf } from './edited-catalogue.ts';
import { csvOf } from './event-csv.ts';
import { extendEvent } from './extend-event.ts';
import { listEvents } from './list-events.ts';

interface ListOptions {
  readonly status?: EventStatus;
  readonly access?: EventAccess;
  readonly limit: number;
}

const list = () =>
  new Command('list')
    .description('show the whole catalogue, latest start first')
    .addOption(new Option('--status <status>', 'only events with this status').choices(eventStatuses))
    .addOption(new Option('--access <access>', 'only free or only paid events').choices(eventAccesses))
    .option('--limit <number>', 'show at most this many', positiveInteger, 100)
    .action(async (options: ListOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const events = dynamoDbEvents(eventStoreOf(target));
      const found = await listEvents({ events, clock: systemClock, ...options });
      output.rows(
        ['event_id', 'status', 'access', 'starts_at', 'title', 'categories', 'stream'],
        found.events.map(({ id, status, access, startsAt, title, categories, stream }) => ({
          event_id: id,
          status,
          access,
          starts_at: startsAt,
          title,
          categories,
          stream: stream?.type,
        })),
        { dispensable: ['starts_at', 'categories', 'stream'] },
      );
      if (!found.isAll) output.remark(`There are more than ${options.limit}: use --limit to show more.`);
    });

const show = () =>
  new Command('show')
    .description('show everything about one event, its stream included')
    .argument('<event-id>', 'the event')
    .action(async (id: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const catalogue = dynamoDbCatalogue(eventStoreOf(target));
      const { event } = await getStored({ catalogue }, { id });
      output.fields(shownEventRecord(event, systemClock()));
    });

const setStatus = () =>
  new Command('set-status')
    .description(
      `move an event to another status: ${eventStatuses.join(', ')}; it counts until the next entry of the event's schedule, CANCELLED for good; a later import of the same file keeps this status`,
    )
    .argument('<event-id>', 'the event')
    .addArgument(new Argument('<status>', 'its new status').choices(eventStatuses))
    .action(async (id: string, status: EventStatus, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const catalogue = await editedCatalogueOf(target);
      const { event, before } = await setEventStatus({ catalogue, clock: systemClock }, { id, status });
      output.fields({ event_id: event.id, status: event.status, before });
    });

const extend = () =>
  new Command('extend')
    .description(
      "let an event end later, for example in overtime: moves ends_at, the stream's available_until, and the entries of the schedule that end the event or follow its end; a later import of the same file keeps the new ends",
    )
    .argument('<event-id>', 'the event')
    .argument('<minutes>', 'by how many minutes, at most 1440', minutesOfADay)
    .action(async (id: string, minutes: number, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const { before, after, contradictions } = await extendEvent(
        { catalogue: await editedCatalogueOf(target), clock: systemClock },
        { id, minutes, signing: stageSettings(target.stage).ott.playback.signing },
      );
      output.fields({ event_id: id, ...after, before });
      output.remark('An import keeps these ends until those of the event change in the file.');
      for (const contradiction of contradictions) output.remark(`${id}: ${contradiction}.`);
    });

const remove = () =>
  new Command('delete')
    .description('delete an event for good; a LIVE event cannot be deleted')
    .argument('<event-id>', 'the event')
    .option(...yesOption)
    .action(async (id: string, { yes }: { readonly yes?: boolean }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const catalogue = await editedCatalogueOf(target);
      const { event } = await getDeletable({ catalogue, clock: systemClock }, { id });
      await requireConsent({ question: `Delete event ${id}, ${event.title}?`, yes });
      await deleteEvent({ catalogue, clock: systemClock }, { id });
      output.fields({ event_id: id, deleted: true });
    });

const history = () =>
  new Command('history')
    .description(
      `show who changed an event, when, and which fields: its last ${historyAtMost} changes, latest first, and all that opened it to more viewers, also of a deleted event`,
    )
    .argument('<event-id>', 'the event')
    .action(async (id: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const changes = await dynamoDbEventHistory(eventStoreOf(target)).of(id);
      output.rows(['at', 'by', 'change', 'fields', 'opens'], changes.map(shownChange));
      if (changes.length === 0) output.remark(`No change of an event ${id} is recorded.`);
    });

const shownChange = ({ at, by, kind, fields, opens }: PastChange) => ({
  at,
  by,
  change: kind,
  fields,
  opens: opens.length === 0 ? undefined : opens,
});

const exportAll = () =>
  new Command('export')
    .description('print the whole catalogue as a file that `events import` reads')
    .addOption(
      new Option(
        '--format <format>',
        'a JSON array, or a CSV table for spreadsheet programs: give the file a name that ends in .csv',
      )
        .choices(['json', 'csv'])
        .default('json'),
    )
    .action(async ({ format }: { readonly format: 'json' | 'csv' }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const events = [];
      for await (const { event } of dynamoDbCatalogue(eventStoreOf(target)).all()) events.push(event);
      events.sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
      const now = systemClock();
      const records = events.map((event) => exportedEventRecord(event, now));
      if (format === 'json') {
        output.elements(records);
        return;
      }
      output.file(csvOf(records));
      const laterCount = events.filter(({ later }) => later !== undefined).length;
      if (laterCount > 0)
        output.remark(
          `${counted(laterCount, 'event has a field', 'events have fields')} of a later release, which the table leaves out. An import of the table keeps them.`,
        );
    });

const check = () =>
  new Command('check')
    .description(
      "check the stored events: find streams that cannot be signed, because the signature would also open another event's stream, tickets whose contract is not an ERC-721 collection, void tickets that still give access, and schedules that contradict the times of their events",
    )
    .addOption(
      new Option('--signing <way>', 'check as if the stage signed playback in this way').choices([
        'url',
        'cookies',
      ]),
    )
    .action(async (options: { readonly signing?: Signing }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const signing = options.signing ?? stageSettings(target.stage).ott.playback.signing;
      const catalogue = dynamoDbCatalogue(eventStoreOf(target));
      const holdings = ticketHoldingsOf(target);
      const { count, problems, contradictions, ticketed } = await checkEvents(
        { catalogue, holdings },
        { signing },
      );
      output.rows(
        ['event_id', 'problem'],
        problems.map(({ eventId, problem }) => ({ event_id: eventId, problem })),
      );
      if (signing === 'none')
        output.remark('This stage does not sign streams: with --signing you can check as if it did.');
      const warnings = await unlimitedTickets(
        { applications: await applicationsOf(target).list(), contracts: contractApplicationsOf(target) },
        ticketed,
      );
      const contracts = new Set(
        ticketed.flatMap(({ tickets = [] }) => tickets.map(({ contractAddress }) => contractAddress)),
      );
      const voids = await ineffectiveVoids({ voidTickets: voidTicketsOf(target), holdings }, [...contracts]);
      for (const { eventId, problem } of contradictions) output.remark(`${eventId}: ${problem}.`);
      for (const warning of [...warnings, ...voids.map((sentence) => `${sentence}.`)]) output.remark(warning);
      output.remark(`${counted(count, 'event')}, ${counted(problems.length, 'problem')}.`);
      if (problems.length > 0) {
        throw new OperatorError({
          message: 'These events have a stream that cannot be played, or tickets that give no access to it.',
        });
      }
    });

export const events = (): Command =>
  new Command('events')
    .description('the catalogue of OTT events')
    .addCommand(importFile())
    .addCommand(exportAll())
    .addCommand(list())
    .addCommand(show())
    .addCommand(history())
    .addCommand(setStatus())
    .addCommand(extend())
    .addCommand(remove())
    .addCommand(check())
    .addCommand(why());
