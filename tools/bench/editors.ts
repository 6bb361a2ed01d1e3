import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Event } from '../../shared/ott/events/event.ts';
import { withPartitionHeads } from '../../shared/ott/store/partition-heads.ts';
import { anEvent, anOttApplication } from '../../test/support/ott/builders.ts';
import { ottCalls } from '../../test/support/ott/calls.ts';
import { embeddedCatalogues } from './embedded-catalogue.ts';
import { type Measurement, median } from './measurement.ts';

const writesPerSecond = 50;
const windowMilliseconds = 2_000;
const rounds = 8;
/** What one database and two processes on two processors may differ by. */
const ratioAtMost = 1.2;

const size = 2_000;
const anEventOf = (index: number): Event =>
  anEvent({
    id: `event-${index}`,
    status: 'VOD',
    startsAt: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
    endsAt: null,
    stream: { type: 'hls', url: `https://streams.example.com/event-${index}/index.m3u8` },
  });

/** What the editor writes into: nothing, the catalogue that the viewers read, or another one of the same database. */
const states = ['nothing', 'their catalogue', 'another catalogue'] as const;
type State = (typeof states)[number];
type Times = Record<'list' | 'stream', number[]>;

const doneSchema = z.object({ answered: z.number(), refused: z.array(z.string()) });

/**
 * Viewers' lists and streams while an editor writes 50 times a second, in a process of its own, as on AWS in a
 * concurrency of its own. Writes into another catalogue take as much of this machine, so the ratio to these shows what
 * the writes themselves cost the viewers.
 */
export const measureEditors = async (): Promise<Measurement[]> => {
  await using embedded = await embeddedCatalogues([size, size + 1], anEventOf);
  const [events] = embedded.catalogues;
  if (events === undefined) throw new Error('There are two catalogues');
  const tables: Record<State, string> = {
    nothing: '',
    'their catalogue': `events-${size}`,
    'another catalogue': `events-${size + 1}`,
  };
  const program = fileURLToPath(new URL('editor-process.ts', import.meta.url));
  const editor = fork(program, [embedded.endpoint, String(writesPerSecond)]);
  try {
    const tell = async (state: State) => {
      editor.send(tables[state]);
      const [done] = await once(editor, 'message');
      return doneSchema.parse(done);
    };
    const viewers = ottCalls({
      events: { ...events, ...withPartitionHeads(events) },
      applications: [anOttApplication()],
      clock: Date.now,
    });
    const times: Record<State, Times> = {
      nothing: { list: [], stream: [] },
      'their catalogue': { list: [], stream: [] },
      'another catalogue': { list: [], stream: [] },
    };
    const calls = {
      list: () => viewers.list({ query: { limit: '50' } }),
      stream: (turn: number) => viewers.stream(`event-${turn % size}`),
    };
    const view = async ({ list, stream }: Times) => {
      const until = performance.now() + windowMilliseconds;
      for (let turn = 0; performance.now() < until; turn += 1) {
        for (const [name, into] of [['list', list] as const, ['stream', stream] as const]) {
          const startedAt = performance.now();
          const { status } = await calls[name](turn);
          if (status !== 200) throw new Error(`A ${name} answered ${status}`);
          into.push(performance.now() - startedAt);
        }
      }
    };
    await view({ list: [], stream: [] });
    let [written, refusals, seconds] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < states.length; turn += 1) {
        // The order changes, so that each state follows every other one.
        const state = states[
          (round % 2 === 0 ? turn : 2 * states.length - 1 - turn) % states.length
        ] as State;
        await tell(state);
        const startedAt = performance.now();
        await view(times[state]);
        const { answered, refused } = await tell('nothing');
        refusals += refused.length;
        if (state === 'nothing') continue;
        written += answered;
        seconds += (performance.now() - startedAt) / 1_000;
      }
    }
    const rate = written / seconds;
    return [
      {
        name: `writes of an editor beside viewers (at least ${writesPerSecond * 0.9} a second)`,
        value: rate,
        unit: 'a second',
        holds: rate >= writesPerSecond * 0.9,
      },
      { name: '  refused (none)', value: refusals, unit: '', holds: refusals === 0 },
      ...(['list', 'stream'] as const).flatMap((name): Measurement[] => {
        const [quiet, own, other] = states.map((state) => median(times[state][name]));
        if (quiet === undefined || own === undefined || other === undefined) return [];
        const what = name === 'list' ? 'page of 50 events' : 'stream of an event';
        return [
          { name: `${what} without an editor`, value: quiet, unit: 'ms' },
          { name: '  beside an editor of the same catalogue', value: own, unit: 'ms' },
          { name: '  beside an editor of another catalogue', value: other, unit: 'ms' },
          {
            name: `  ratio of the two (at most ${ratioAtMost})`,
            value: own / other,
            unit: '×',
            holds: own <= ratioAtMost * other,
          },
        ];
      }),
    ];
  } finally {
    editor.kill();
  }
};
