/**
 * The life of one put:
 *
 * | It is | when |
 * |---|---|
 * | `Put` | somebody wants something of one event |
 * | `Decided` | the stored event was read: what is to be changed, and what is told of it |
 * | `JudgedPut` | all but the paths of streams was judged: the change is allowed or refused, or there is none |
 * | `PathJudgement` | the paths of all changes were compared with each other and with those that are stored |
 * | `PutOutcome` | the change was written, was not allowed, or met another writer |
 *
 * `judgeEvents` ends with the paths, `putEvents` with the outcomes.
 */

import type { Address } from '../../chain/hex.ts';
import { chunksOf } from '../../platform/chunks.ts';
import type { Catalogue, ChangeOutcome, EventChange, StoredEvent } from '../ports/catalogue.ts';
import type { TicketHoldings } from '../ports/ticket-holdings.ts';
import { eventMistakes } from './event-mistakes.ts';
import {
  type JudgePathsDependencies,
  judgePaths,
  movesOf,
  nothingJudged,
  type PathJudgement,
  writerOfJudged,
} from './judged-paths.ts';
import type { Overlap } from './overlapping-pairs.ts';
import type { Move } from './path-overlaps.ts';
import { hasOtherTickets, judgeTickets } from './ticket-mistakes.ts';

/** How many events are read and written together. */
const eventsAtOnce = 100;

/** How many batches are written concurrently. */
const writersAtOnce = 4;

/** What somebody wants of one event. `Told` is what they are told about it. */
export interface Put<Told> {
  /** `undefined` if no event can have it. */
  readonly id: string | undefined;
  /** Decides what becomes of the event as it is stored. Asked again for each version that is read. */
  decide(stored: StoredEvent | undefined, now: number): Decided<Told>;
}

export interface Decided<Told> {
  readonly told: Told;
  /** @default nothing is left to do */
  readonly change?: EventChange | undefined;
}

/** `onJudged` returns whether the change is to be made. Judging keeps only that, so it holds no event in memory. */
export interface PutToJudge<Told> extends Put<Told> {
  onJudged(judged: JudgedPut<Told>): boolean;
}
export interface PutToWrite<Told> extends Put<Told> {
  onOutcome(outcome: PutOutcome<Told>): void;
}

/** `none`: there is nothing to write. `refused`: the stage cannot take the event. */
type Judgement =
  | { readonly outcome: 'none' }
  | { readonly outcome: 'refused'; readonly mistakes: readonly string[] }
  | { readonly outcome: 'overlapping'; readonly overlaps: readonly Overlap[] };

/** `allowed`: the change may be written. */
export type JudgedPut<Told> = Decided<Told> & (Judgement | { readonly outcome: 'allowed' });
export type PutOutcome<Told> = Decided<Told> & (Judgement | ChangeOutcome);

export interface PutEventsDependencies extends JudgePathsDependencies {
  readonly catalogue: Pick<Catalogue, 'findAllStored' | 'idsSignedNear' | 'recentPaths' | 'write'>;
  readonly holdings: Pick<TicketHoldings, 'notErc721'>;
}

/** Decides on events as they are stored now, and judges each but for the paths of streams. */
const decideTogether = async <Told>(
  { catalogue, holdings, clock, signing }: PutEventsDependencies,
  puts: readonly Put<Told>[],
  contracts: Map<Address, boolean>,
): Promise<JudgedPut<Told>[]> => {
  const stored = await catalogue.findAllStored(puts.flatMap(({ id }) => id ?? []));
  const now = clock();
  const all = puts.map((put) => put.decide(stored.get(put.id ?? ''), now));
  const events = all.flatMap(({ change: { before, after } = {} }) =>
    after !== undefined && hasOtherTickets(before?.event, after) ? [after] : [],
  );
  const notErc721 = await judgeTickets({ holdings }, { events, judged: contracts });
  return all.map((decided) => {
    const { before, after } = decided.change ?? {};
    if (decided.change === undefined) return { ...decided, outcome: 'none' };
    if (after === undefined) return { ...decided, outcome: 'allowed' };
    const mistakes = eventMistakes({ before: before?.event, after }, { signing, notErc721 });
    return mistakes.length > 0
      ? { ...decided, outcome: 'refused', mistakes }
      : { ...decided, outcome: 'allowed' };
  });
};

/** What a dry run has found out, with which the same events are put for good. */
export interface Judged extends PathJudgement {
  /** Whether each contract that tickets name is an ERC-721 collection. */
  readonly contracts: Map<Address, boolean>;
}

/**
 * Judges what events shall become, and writes nothing: all of `puts` together, so that two events may exchange their
 * paths. Tells each put in order what is known without the others, and returns which streams overlap.
 */
export const judgeEvents = async <Told>(
  dependencies: PutEventsDependencies,
  puts: Iterable<PutToJudge<Told>>,
  /** The events that are deleted together with these, asked after all were judged. @default none */
  deleted: () => Promise<ReadonlySet<string>> = async () => new Set(),
): Promise<Judged> => {
  const contracts = new Map<Address, boolean>();
  const moves = new Map<string, Move>();
  for (const together of chunksOf(puts, eventsAtOnce)) {
    const all = await decideTogether(dependencies, together, contracts);
    const made = all.flatMap((judged, index) =>
      together[index]?.onJudged(judged) && judged.change ? [judged.change] : [],
    );
    for (const [id, move] of movesOf(made)) moves.set(id, move);
  }
  return { ...(await judgePaths(dependencies, { moves, deleted: await deleted() })), contracts };
};

/**
 * Puts events: reads what is stored of each, decides what becomes of it, judges that, and writes it on the version that
 * was read. Of an event that another writer has changed meanwhile, all of this is done again.
 */
export const putEvents = async <Told>(
  dependencies: PutEventsDependencies,
  puts: Iterable<PutToWrite<Told>>,
  {
    attempts = 1,
    judged = { ...nothingJudged(), contracts: new Map() },
  }: {
    /** How often an event is tried that others change. @default once */
    readonly attempts?: number;
    /** @default nothing was judged before */
    readonly judged?: Judged;
  } = {},
): Promise<void> => {
  const write = writerOfJudged(dependencies, judged);
  const putTogether = async (together: readonly PutToWrite<Told>[]): Promise<void> => {
    let due = together;
    for (let attempt = 1; due.length > 0; attempt += 1) {
      const all = await decideTogether(dependencies, due, judged.contracts);
      const allowed = due.flatMap((put, index) => {
        const { outcome, ...decided } = all[index] as JudgedPut<Told>;
        const { change } = decided;
        if (outcome === 'allowed' && change) return [{ put, decided, change }];
        put.onOutcome(all[index] as PutOutcome<Told>);
        return [];
      });
      const results = await write(allowed.map(({ change }) => change));
      due = allowed.flatMap(({ put, decided }, index) => {
        const result = results[index];
        if (result === undefined) throw new Error('Each change has an outcome');
        const isDisturbed = result.outcome === 'conflict' || result.outcome === 'paths-changed';
        if (isDisturbed && attempt < attempts) return [put];
        put.onOutcome({ ...decided, ...result });
        return [];
      });
    }
  };
  const chunks = chunksOf(puts, eventsAtOnce);
  const work = async () => {
    for (const chunk of chunks) await putTogether(chunk);
  };
  await Promise.all(Array.from({ length: writersAtOnce }, work));
};
