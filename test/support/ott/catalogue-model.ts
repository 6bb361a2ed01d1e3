/**
 * What an event of the catalogue is after any history of files and calls, written from the guides alone (docs/events.md,
 * docs/customer-guide.md). Of an event only what decides its status and its ends. Times are ISO 8601 in UTC.
 */
import type { EventStatus as Status } from './oracle.ts';

interface Entry {
  readonly at: string;
  readonly status: Status;
}
interface Ends {
  readonly ends_at: string | null;
  readonly schedule: readonly Entry[] | null;
  readonly until: string | null;
}
/** A row of a file, or the body of a `PUT`. A field that is missing is left out, `null` clears it. */
export interface Body {
  readonly event_id: string;
  readonly title?: string;
  readonly status?: Status;
  readonly ends_at?: string | null;
  readonly schedule?: readonly Entry[] | null;
  readonly stream?: { readonly available_until?: string | null; readonly available_until_in_file?: string };
  readonly status_in_file?: Status;
  readonly status_set_at?: string;
  readonly ends_at_in_file?: string;
  readonly schedule_in_file?: readonly Entry[];
}
export type Step =
  | {
      readonly do: 'import';
      readonly rows: readonly (Body & { readonly refused?: true })[];
      readonly dryRun?: boolean;
      readonly overwriteStatus?: boolean;
      readonly deleteMissing?: boolean;
    }
  | { readonly do: 'put'; readonly event: Body }
  | { readonly do: 'get-put'; readonly id: string; readonly title: string }
  | { readonly do: 'delete'; readonly id: string }
  | { readonly do: 'set-status'; readonly id: string; readonly status: Status }
  | { readonly do: 'extend'; readonly id: string; readonly minutes: number };

interface ByHand extends Partial<Ends> {
  readonly status?: { readonly value: Status; readonly at: string } | undefined;
}
interface Event {
  readonly title: string | undefined;
  readonly status: Status;
  readonly ends: Ends;
  readonly byHand: ByHand;
}
export type State = Readonly<Record<string, Event>>;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const without = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const none: Ends = { ends_at: null, schedule: null, until: null };
const endNames = ['ends_at', 'schedule', 'until'] as const;
const endsOf = ({ ends, byHand }: Event): Ends => ({ ...ends, ...without({ ...byHand, status: undefined }) });
const namedEnds = ({ ends_at, schedule, stream }: Body): Partial<Ends> =>
  without({ ends_at, schedule, until: stream?.available_until });

const counting = (event: Event): readonly Entry[] => {
  const { status: hand } = event.byHand;
  if ((hand?.value ?? event.status) === 'CANCELLED') return [];
  return (endsOf(event).schedule ?? []).filter(({ at }) => hand === undefined || at > hand.at);
};
const due = (event: Event, now: string) => counting(event).findLast(({ at }) => at <= now);
const statusOf = (event: Event, now: string): Status =>
  due(event, now)?.status ?? event.byHand.status?.value ?? event.status;

/** What a body says, with the marks that it sends. */
const said = (body: Body, old: Event | undefined, now: string): Event => {
  const ends: Ends = { ...none, ...namedEnds(body) };
  const marks = without({
    ends_at: body.ends_at_in_file,
    schedule: body.schedule_in_file,
    until: body.stream?.available_until_in_file,
  });
  const marked = endNames.filter((name) => marks[name] !== undefined && ends[name] !== null);
  const status = body.status ?? 'UPCOMING';
  const isOfSchedule =
    ends.schedule !== null &&
    (status !== 'CANCELLED' || ends.schedule.some((each) => each.status === status));
  const known = old?.byHand.status?.value === status ? old.byHand.status.at : now;
  const at = body.status_set_at ?? (body.status_in_file === undefined || isOfSchedule ? undefined : known);
  return {
    title: body.title,
    status: body.status_in_file ?? status,
    ends: { ...ends, ...Object.fromEntries(marked.map((name) => [name, marks[name]])) },
    byHand: {
      ...Object.fromEntries(marked.map((name) => [name, ends[name]])),
      ...(at !== undefined && { status: { value: status, at } }),
    },
  };
};

/** What `GET` gives of an event. A status by hand is said as long as it decides something, and a minute longer. */
const read = (id: string, event: Event, now: string): Body => {
  const [ends, status, entry] = [endsOf(event), statusOf(event, now), due(event, now)];
  const minuteAgo = new Date(Date.parse(now) - 60_000).toISOString();
  const isSaid =
    entry === undefined ||
    (entry.status !== 'CANCELLED' && (event.status === 'CANCELLED' || entry.at > minuteAgo));
  const { byHand } = event;
  return {
    event_id: id,
    status,
    ends_at: ends.ends_at,
    schedule: ends.schedule,
    stream: without({
      available_until: ends.until,
      available_until_in_file: byHand.until && event.ends.until,
    }),
    ...without({
      status_in_file: status === event.status ? undefined : event.status,
      status_set_at: ends.schedule && isSaid ? byHand.status?.at : undefined,
      ends_at_in_file: byHand.ends_at && event.ends.ends_at,
      schedule_in_file: byHand.schedule && event.ends.schedule,
    }),
  };
};

/** A row of a file over a stored event: what it leaves out stays, and what it gives again leaves the hand over it. */
const imported = (row: Body, old: Event, now: string, overwrite: boolean): Event => {
  const file = said(row, old, now);
  const names = Object.keys(namedEnds(row));
  const ends = Object.fromEntries(
    endNames.map((name) => [name, names.includes(name) ? file.ends[name] : old.ends[name]]),
  ) as unknown as Ends;
  const kept = endNames.filter((name) => same(ends[name], old.ends[name]));
  const status = row.status === undefined ? old.status : file.status;
  const isKept = status === old.status && !(overwrite && row.status !== undefined);
  return {
    title: row.title ?? old.title,
    status,
    ends,
    byHand: without({
      ...file.byHand,
      ...without(Object.fromEntries(kept.map((name) => [name, old.byHand[name]]))),
      status: (isKept ? old.byHand.status : undefined) ?? (row.status && file.byHand.status),
    }),
  };
};

const extended = (event: Event, minutes: number, now: string): Event => {
  const [ends, status] = [endsOf(event), statusOf(event, now)];
  const later = (at: string) => new Date(Date.parse(at) + minutes * 60_000).toISOString();
  const ending = counting(event).find((each) => each.at > now && !['UPCOMING', 'LIVE'].includes(each.status));
  const moved = without({
    ends_at: ends.ends_at !== null && status !== 'VOD' ? later(ends.ends_at) : undefined,
    until: ends.until !== null ? later(ends.until) : undefined,
    schedule:
      ending && ends.schedule?.map((each) => (each.at < ending.at ? each : { ...each, at: later(each.at) })),
  });
  const [first] = [ends.until ?? ending?.at ?? (moved.ends_at === undefined ? undefined : ends.ends_at)];
  const isRefused = status === 'FINISHED' || status === 'CANCELLED' || !first || later(first) <= now;
  return isRefused ? event : { ...event, byHand: { ...event.byHand, ...moved } };
};

export const after = (state: State, step: Step, now: string): State => {
  const put = (id: string, event: Event): State => ({ ...state, [id]: event });
  const replaced = (body: Body): State => {
    const { event_id: id } = body;
    const [old, fresh] = [state[id], said(body, state[id], now)];
    const isSame = old?.title === fresh.title && same(old && read(id, old, now), read(id, fresh, now));
    return isSame ? state : put(id, fresh);
  };
  switch (step.do) {
    case 'put':
      return replaced(step.event);
    case 'import': {
      const { rows, dryRun, deleteMissing, overwriteStatus = false } = step;
      if (dryRun) return state;
      const gone = Object.entries(state).filter(
        ([id, event]) =>
          deleteMissing && !rows.some((row) => row.event_id === id) && statusOf(event, now) !== 'LIVE',
      );
      const next = Object.fromEntries(
        Object.entries(state).filter(([id]) => !gone.some((one) => one[0] === id)),
      );
      for (const row of rows) {
        const old = state[row.event_id];
        const { event_id, status } = row;
        if (row.refused) {
          const isBlock = status === 'CANCELLED' || status === 'FINISHED';
          if (old && isBlock) next[event_id] = imported({ event_id, status }, old, now, overwriteStatus);
        } else next[event_id] = old ? imported(row, old, now, overwriteStatus) : said(row, undefined, now);
      }
      return next;
    }
    default: {
      const { id } = step;
      const event = state[id];
      if (event === undefined) return state;
      if (step.do === 'get-put') return replaced({ ...read(id, event, now), title: step.title });
      if (step.do === 'extend') return put(id, extended(event, step.minutes, now));
      const ahead = counting(event).some(({ at }) => at > now);
      if (
        step.do === 'set-status' &&
        statusOf(event, now) === step.status &&
        (step.status !== 'CANCELLED' || !ahead)
      )
        return state;
      if (step.do === 'set-status')
        return put(id, { ...event, byHand: { ...event.byHand, status: { value: step.status, at: now } } });
      return statusOf(event, now) === 'LIVE'
        ? state
        : Object.fromEntries(Object.entries(state).filter(([other]) => other !== id));
    }
  }
};

/** What everybody sees of an event at a time. */
export const shown = (state: State, id: string, now: string) => {
  const event = state[id];
  return event && { status: statusOf(event, now), ...endsOf(event) };
};
