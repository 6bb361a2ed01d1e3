import type * as z from 'zod';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { eventRecordSchema } from '../../../shared/ott/events/event-record.ts';

/** How a field is written in a cell of a table. An empty cell is a field without a value. */
interface Cell {
  /** Reads a cell that is not empty. @throws CellError for a cell that cannot be read. */
  read(cell: string): unknown;
  /** The inverse of `read`, for a value of a stored event. */
  write(value: unknown): string;
}

/** A mistake in how a cell is written. */
export class CellError extends Error {}

const text: Cell = { read: (cell) => cell, write: String };

/** One line without spaces around it. A cell of a spreadsheet may have line breaks, and spaces that do not show. */
const line: Cell = { read: (cell) => cell.trim().replaceAll(/\s*[\r\n]\s*/g, ' '), write: String };

/** A time with a zone, also as other programs write it: with a space, without seconds, with a shorter zone. */
const looseMoment =
  /^(\d{4}-\d\d-\d\d)[T ] *(\d\d:\d\d)(:\d\d(?:\.\d+)?)? *(?:(Z|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)$/i;

const moment: Cell = {
  read: (cell) => {
    const found = looseMoment.exec(cell.trim());
    if (found === null) return cell.trim();
    const [, day, minute, seconds = ':00', utc, hours = '', minutes = '00'] = found;
    return `${day}T${minute}${seconds}${utc === undefined ? `${hours}:${minutes}` : 'Z'}`;
  },
  write: String,
};

const typographicQuotes = /[\u201c-\u201f\u00ab\u00bb]/;

const json: Cell = {
  read: (cell) => {
    try {
      return JSON.parse(cell.trim());
    } catch {
      const found = typographicQuotes.test(cell) ? ', with straight quotation marks (")' : '';
      throw new CellError(`must be JSON${found}`);
    }
  },
  write: (value) => JSON.stringify(value),
};

/** Items separated by `|`. Within an item, `\|` is a `|` and `\\` is a `\`. */
const items = (cell: string): string[] =>
  Array.from(cell.matchAll(/(?:\\[\\|]|[^|])+/g), ([item]) =>
    item.replaceAll(/\\([\\|])/g, '$1').trim(),
  ).filter((item) => item !== '');
const itemsText = (all: readonly string[]): string =>
  all.map((item) => item.replaceAll(/[\\|]/g, '\\$&')).join(' | ');

const categories: Cell = { read: items, write: (value) => itemsText(value as Event['categories']) };

const tickets: Cell = {
  read: (cell) => items(cell).map((contract_address) => ({ contract_address })),
  write: (value) =>
    itemsText(
      (value as readonly { readonly contract_address: string }[]).map((ticket) => ticket.contract_address),
    ),
};

type Schedule = NonNullable<Event['schedule']>;

/** A schedule as a cell has it: entries such as `2026-05-01T18:00:00Z LIVE`. */
export const scheduleText = (entries: Schedule): string =>
  itemsText(entries.map(({ at, status }) => `${at} ${status}`));

const schedule: Cell = {
  read: (cell) =>
    items(cell).map((entry) => {
      const [, at = entry, status = ''] = /^(.*\S)\s+(\S+)$/s.exec(entry) ?? [];
      return { at: moment.read(at), status };
    }),
  write: (value) => scheduleText(value as Schedule),
};

type EventFields = z.input<typeof eventRecordSchema>;

const eventCells = {
  event_id: line,
  title: line,
  description: text,
  status: line,
  access: line,
  starts_at: moment,
  ends_at: moment,
  image: line,
  categories,
  geoblocking: json,
  tickets,
  schedule,
  status_in_file: line,
  status_set_at: moment,
  ends_at_in_file: moment,
  schedule_in_file: schedule,
} satisfies Record<Exclude<keyof EventFields, 'stream'>, Cell>;

const streamCells = {
  type: line,
  url: line,
  signed_path: line,
  available_from: moment,
  available_until: moment,
  available_until_in_file: moment,
  geoblocking: json,
} satisfies Record<keyof NonNullable<EventFields['stream']>, Cell>;

/** The fields of which no event may be without a value. */
const required: ReadonlySet<string> = new Set<keyof EventFields>([
  'event_id',
  'title',
  'status',
  'access',
  'starts_at',
]);

export interface Column extends Cell {
  readonly field: string;
  readonly isOfStream: boolean;
  readonly isRequired: boolean;
}

/** The columns of a table of events by name: one for each field of an event and of its stream. */
export const columns: ReadonlyMap<string, Column> = new Map([
  ...Object.entries(eventCells).map(([field, cell]): [string, Column] => [
    field,
    { field, isOfStream: false, isRequired: required.has(field), ...cell },
  ]),
  ...Object.entries(streamCells).map(([field, cell]): [string, Column] => [
    `stream_${field}`,
    { field, isOfStream: true, isRequired: false, ...cell },
  ]),
]);
