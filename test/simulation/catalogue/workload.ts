/** What happens in a world of the catalogue: its events, what their editors and the operator do, and who asks when. */

import type { EventStatus } from '../../support/ott/oracle.ts';
import type { Block, ScheduledCase } from '../../support/ott/scheduled-oracle.ts';
import type { Random } from '../../support/platform/seeded-random.ts';
import { between, oneOf, type Streams } from '../streams.ts';
import { type EventRecord, ruleOf } from './known-events.ts';

const minute = 60_000;
export const ids = ['match', 'show', 'film', 'talk'] as const;
export const statuses = ['UPCOMING', 'LIVE', 'FINISHED', 'VOD', 'CANCELLED'] as const;
export const editors = ['desk', 'newsroom'] as const;

const kinds = ['anonymous', 'bought', 'not bought', 'denied', 'VIP'] as const;
export const countries = ['CH', 'FR', 'DE', 'NO', undefined] as const;

export const clients = {
  web: {
    shown: ['UPCOMING', 'LIVE', 'VOD', 'CANCELLED'],
    block: { countries: ['CH'], statuses: ['LIVE'] },
  },
  tv: { shown: ['LIVE', 'VOD'], block: { countries: [], statuses: [] } },
} as const satisfies Readonly<Record<string, ScheduledCase['client']>>;

export interface Viewer {
  readonly client: keyof typeof clients;
  readonly kind: ScheduledCase['viewer']['kind'];
  readonly country: (typeof countries)[number];
}

export type Action =
  | { readonly kind: 'rename' | 'reschedule' | 'move' | 'rewrite' | 'delete'; readonly event: string }
  | { readonly kind: 'status'; readonly event: string; readonly status: EventStatus }
  | { readonly kind: 'create'; readonly event: string; readonly folder: string }
  | { readonly kind: 'import' };

export type Timed<What> = What & { readonly id: number; readonly at: number; readonly editor: string };

export type Question = Viewer & {
  readonly id: number;
  readonly at: number;
  readonly call: 'stream' | 'show' | 'list';
  readonly event: string;
  /** The filter of a list. @default none */
  readonly status: EventStatus | undefined;
};

const blocks: readonly [undefined, ...Block[]] = [
  undefined,
  { countries: ['FR'], statuses: ['FINISHED', 'VOD'] },
  { countries: ['DE'], statuses: ['LIVE'] },
  { countries: ['NO', 'CH'], statuses: ['VOD'] },
];

export const scheduleOf = (
  random: Random,
  {
    startsAt,
    lasts,
    status,
  }: { readonly startsAt: number; readonly lasts: number; readonly status: EventStatus },
): EventRecord['schedule'] => {
  // Whether CANCELLED comes from the file or from an entry would else not be known.
  const possible = status === 'CANCELLED' ? (['UPCOMING', 'LIVE', 'FINISHED', 'VOD'] as const) : statuses;
  const count = between(random, 0, 4);
  const times = [
    ...new Set(
      Array.from({ length: count }, () => startsAt + 1_000 * between(random, 5, Math.floor(lasts / 1_000))),
    ),
  ].sort((one, other) => one - other);
  if (times.length === 0) return null;
  return times.map((at) => ({ at: new Date(at).toISOString(), status: oneOf(random, possible) }));
};

/** @param folder `''` for the root folder of another host, on which nothing else is. */
export const urlOf = (folder: string): string =>
  folder === '' ? 'https://films.example.com/index.m3u8' : `https://streams.example.com/${folder}/index.m3u8`;

export const recordOf = (
  random: Random,
  { id, startsAt, lasts }: { readonly id: string; readonly startsAt: number; readonly lasts: number },
): EventRecord => {
  const status = random() < 0.6 ? 'UPCOMING' : oneOf(random, statuses);
  return {
    event_id: id,
    title: `${id} of the file`,
    status,
    access: oneOf(random, ['free', 'paid']),
    starts_at: new Date(startsAt + minute * between(random, 0, 3)).toISOString(),
    geoblocking: ruleOf(oneOf(random, blocks)),
    stream: { type: 'hls', url: urlOf(id), geoblocking: ruleOf(oneOf(random, blocks)) },
    schedule: scheduleOf(random, { startsAt, lasts, status }),
  };
};

const actionOf = (random: Random, created: string): Action => {
  const event = oneOf(random, ids);
  const kind = oneOf(random, [
    'rename',
    'rename',
    'rename',
    'reschedule',
    'move',
    'rewrite',
    'delete',
    'status',
    'status',
    'status',
    'create',
    'import',
    'import',
  ] as const);
  switch (kind) {
    case 'import':
      return { kind };
    case 'status':
      return { kind, event, status: oneOf(random, statuses) };
    case 'create':
      return { kind, event: created, folder: oneOf(random, [event, 'new', 'new/inner']) };
    default:
      return { kind, event };
  }
};

export const questionOf = (random: Random): Omit<Question, 'id' | 'at'> => ({
  client: random() < 0.8 ? 'web' : 'tv',
  kind: random() < 0.5 ? 'bought' : oneOf(random, kinds),
  country: oneOf(random, countries),
  call: oneOf(random, ['stream', 'stream', 'list', 'list', 'show']),
  event: oneOf(random, ids),
  status: random() < 0.3 ? oneOf(random, statuses) : undefined,
});

export const createWorkload = (streams: Streams, startsAt: number) => {
  const shape = streams.of('workload');
  /** How long the scheduled function stands still, from the begin on. */
  const stopped = shape() < 0.3 ? between(shape, 2, 70) * minute : 0;
  const lasts = Math.max(stopped + 3 * minute, between(shape, 3, 20) * minute);
  const file = ids
    .slice(0, between(shape, 1, ids.length))
    .map((id) => recordOf(streams.of(`event ${id}`), { id, startsAt, lasts }));
  const entries = file.flatMap(({ schedule }) => (schedule ?? []).map(({ at }) => Date.parse(at) - startsAt));
  /** Mostly about the time of an entry, where most can go wrong. */
  const someTime = (random: Random, around: number): number => {
    const entry = entries[Math.floor(random() * entries.length)];
    const isNear = entry !== undefined && random() < 0.6;
    const at = isNear ? entry + between(random, -around, around) : between(random, 0, lasts);
    return Math.min(lasts, Math.max(0, at));
  };

  const actions: Timed<Action>[] = [];
  const actionsAtMost = between(shape, 1, 12);
  for (let id = 1; id <= actionsAtMost; id += 1) {
    const random = streams.of(`workload of action ${id}`);
    const at = someTime(random, oneOf(random, [2_000, 40_000, 3 * minute]));
    const action = { ...actionOf(random, `new-${id}`), id, at, editor: oneOf(random, editors) };
    actions.push(action);
    // Another editor does the same, or something about the same path, at the same moment.
    if (random() >= 0.3) continue;
    id += 1;
    const twin = action.kind === 'create' ? { ...action, event: `new-${id}` } : action;
    actions.push({ ...twin, id, at: at + between(random, 0, 50), editor: oneOf(random, editors) });
  }
  const asked = between(shape, 10, 40);
  const questions = Array.from({ length: asked }, (_, index): Question => {
    const random = streams.of(`workload of question ${index + 1}`);
    const action = actions[Math.floor(random() * actions.length)];
    const at =
      random() < 0.3 && action !== undefined
        ? action.at + between(random, 0, 10_000)
        : someTime(random, oneOf(random, [1_500, 10_000, 45_000]));
    const event =
      action !== undefined && 'event' in action && random() < 0.5 ? action.event : oneOf(random, ids);
    return { ...questionOf(random), id: index + 1, at, event };
  });
  return { stopped, activeMilliseconds: lasts, file, actions, questions };
};
