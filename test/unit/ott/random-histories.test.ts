import { describe, expect, it } from 'vitest';
import { extendEvent } from '../../../operator/ott/events/extend-event.ts';
import { brakes } from '../../../operator/ott/events/import-event-file.ts';
import { OperatorError } from '../../../operator/platform/terminal/operator-error.ts';
import { deleteEvent } from '../../../shared/ott/catalogue/delete-event.ts';
import { EventIsLiveError, NoSuchEventError } from '../../../shared/ott/catalogue/errors.ts';
import { putEvent } from '../../../shared/ott/catalogue/put-event.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import { effective } from '../../../shared/ott/events/effective.ts';
import { eventRecord, eventRecordSchema } from '../../../shared/ott/events/event-record.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import { after, type Body, type State, type Step, shown } from '../../support/ott/catalogue-model.ts';
import { importing } from '../../support/ott/importing.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';

/** `HISTORIES=30000 npx vitest run` runs as many. */
const histories = Number(process.env.HISTORIES ?? 300);
const stepsOfEach = 12;

const minute = 60_000;
const start = Date.parse('2027-07-01T12:00:00Z');
const iso = (time: number): string => new Date(time).toISOString();
const statuses = ['UPCOMING', 'LIVE', 'FINISHED', 'VOD', 'CANCELLED'] as const;
const ids = ['one', 'two'] as const;

/** Random numbers that depend only on the seed (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

class Killed extends Error {}

const worldOf = (seed: number) => {
  const random = randomOf(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const mayBe = <Value>(value: Value): Value | undefined => (below(3) === 0 ? undefined : value);
  const time = (): string => iso(start + below(120) * minute);
  const schedule = () =>
    [...new Set([time(), time(), time()])].sort().map((at) => ({ at, status: pick(statuses) }));
  const fields = (id: string) => ({
    event_id: id,
    title: `Title ${below(3)}`,
    status: pick(statuses),
    ends_at: pick([null, time()]),
    schedule: pick([null, schedule()]),
    stream: { available_until: pick([null, time()]) },
  });
  const part = (id: string): Body => {
    const { event_id, ...whole } = fields(id);
    return { event_id, ...Object.fromEntries(Object.entries(whole).filter(() => mayBe(true))) };
  };
  let file = ids.map((id): Body & { refused?: true } => fields(id));
  const step = (state: State): Step => {
    const id = pick(ids);
    switch (below(9)) {
      case 0:
      case 1:
      case 2: {
        file = file.map((row) => (below(2) === 0 ? row : fields(row.event_id)));
        const rows = file.map((row) => {
          if (state[row.event_id] === undefined) return row;
          const sent = below(3) === 0 ? part(row.event_id) : row;
          return below(6) === 0 ? { ...sent, refused: true as const } : sent;
        });
        const isPart = below(4) === 0 && Object.keys(state).length > 0;
        return {
          do: 'import',
          rows: isPart ? rows.slice(1) : rows,
          dryRun: below(6) === 0,
          overwriteStatus: below(5) === 0,
          deleteMissing: below(4) === 0,
        };
      }
      case 3:
        return { do: 'put', event: fields(id) };
      case 4:
        return { do: 'get-put', id, title: `Title ${below(9)}` };
      case 5:
        return { do: 'extend', id, minutes: 5 + below(30) };
      case 6:
        return below(3) === 0 ? { do: 'delete', id } : { do: 'set-status', id, status: 'CANCELLED' };
      default:
        return { do: 'set-status', id, status: pick(statuses) };
    }
  };
  return { below, step };
};

const recordOf = ({ event_id, stream, ...body }: Body) => ({
  event_id,
  access: 'free',
  starts_at: iso(start - 24 * 60 * minute),
  ...body,
  ...(stream && {
    stream: { type: 'hls', url: `https://streams.example.com/${event_id}/a.m3u8`, ...stream },
  }),
});

/** The service, of which a process may die before, within or after a write. */
const serviceOf = ({ below }: { readonly below: (count: number) => number }) => {
  const real = inMemoryEvents([]);
  const mortal: Catalogue = {
    ...real,
    write: async (changes, paths) => {
      const dies = below(8);
      if (dies > 0) return real.write(changes, paths);
      await real.write(changes.slice(0, below(changes.length + 1)), paths);
      throw new Killed();
    },
  };
  const holdings = { notErc721: async () => [] };
  const put = async (catalogue: Catalogue, record: object, now: number) =>
    putEvent(
      { catalogue, holdings, clock: () => now, pause: async () => {}, newLife: () => 'life' },
      { event: eventRecordSchema.parse(record), signing: 'cookies', requireExpected: () => {} },
    );
  const doStep = async (catalogue: Catalogue, step: Step, now: number): Promise<unknown> => {
    const clock = () => now;
    switch (step.do) {
      case 'import':
        return importing(
          catalogue,
          step.rows.map(({ refused, ...row }) => ({ ...recordOf(row), ...(refused && { title: '' }) })),
          {
            clock,
            overwriteStatus: step.overwriteStatus ?? false,
            deleteMissing: step.deleteMissing ?? false,
            dryRun: step.dryRun ?? false,
            force: brakes,
          },
        );
      case 'put':
        return put(catalogue, recordOf(step.event), now);
      case 'get-put': {
        const event = await real.find(step.id);
        return event && put(catalogue, { ...eventRecord(event, now), title: step.title }, now);
      }
      case 'delete':
        return deleteEvent({ catalogue, clock }, { id: step.id });
      case 'set-status':
        return setEventStatus({ catalogue, clock }, { id: step.id, status: step.status });
      case 'extend':
        // Whoever gets no answer looks first, so that the event is not extended twice.
        return extendEvent(
          { catalogue: real, clock },
          { id: step.id, minutes: step.minutes, signing: 'cookies' },
        );
    }
  };
  const refusals = [OperatorError, EventIsLiveError, NoSuchEventError];
  return {
    find: real.find,
    writes: () => real.writes,
    /** Does a step, again if the process has died. */
    insist: async (step: Step, now: number): Promise<void> => {
      for (let isDone = false; !isDone; ) {
        try {
          await doStep(mortal, step, now);
          isDone = true;
        } catch (error) {
          if (refusals.some((refusal) => error instanceof refusal)) return;
          if (!(error instanceof Killed)) throw error;
        }
      }
    },
  };
};

describe('an event of the catalogue', () => {
  it(`is what the guides say after each of ${histories} histories of files, calls, clocks that differ, and processes that die`, async () => {
    for (let seed = 1; seed <= histories; seed += 1) {
      const { below, step: nextStep } = worldOf(seed);
      const service = serviceOf({ below });
      let state: State = {};
      let now = start;
      const told: unknown[] = [];
      for (let count = 0; count < stepsOfEach; count += 1) {
        now += below(20) * minute + 1_000;
        const clock = now + (below(3) - 1) * 20_000;
        const step = nextStep(state);
        told.push([iso(clock), step]);
        state = after(state, step, iso(clock));
        await service.insist(step, clock);

        for (const id of ids) {
          for (const at of [now, now + 10 * minute, now + 60 * minute]) {
            const event = await service.find(id);
            const is = event && effective(event, at);
            expect({ seed, id, at: iso(at), told, event: is && seenOf(is) }).toEqual({
              seed,
              id,
              at: iso(at),
              told,
              event: shown(state, id, iso(at)),
            });
          }
        }
        if (step.do !== 'import') continue;
        const { writes } = service;
        const before = writes();
        await service.insist({ ...step, overwriteStatus: false }, clock);
        expect({ seed, told, writes: step.dryRun ? before : writes() }).toEqual({
          seed,
          told,
          writes: before,
        });
      }
    }
  });
});

const seenOf = ({ status, endsAt, schedule, stream }: ReturnType<typeof effective>) => ({
  status,
  ends_at: endsAt,
  schedule: schedule ?? null,
  until: stream?.availableUntil ?? null,
});
