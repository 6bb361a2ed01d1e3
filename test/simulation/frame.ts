/** The frame that the worlds of all parts share: the time, the faults and their end, and how a world ends. */
import { createFaults, type Faults, type Part } from './faults.ts';
import { createHistory, type History, type Kept } from './history.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { createStreams, type Streams } from './streams.ts';

export interface WorldOptions {
  readonly seed: number;
  /** Parts, or kinds of faults, that are left out. @default none */
  readonly without?: ReadonlySet<string>;
  /** @default nothing */
  readonly keeps?: Kept;
}

export interface WorldResult {
  readonly seed: number;
  /** The promises that were broken. Empty if the world is as it must be. */
  readonly violations: readonly string[];
  readonly history: readonly string[];
  /** The faults that struck. */
  readonly struck: readonly string[];
  /** The parts of the world that can be left out: requests, an operator's actions, and faults. */
  readonly parts: readonly string[];
}

export type RunWorld = (options: WorldOptions) => Promise<WorldResult>;

/** The ingredients of a world. */
export interface Frame {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly faults: Faults;
  readonly history: History;
  readonly startsAt: number;
  readonly onViolation: (what: string) => void;
  /**
   * Whether this part of the world happens. To find the smallest failing world, its parts are left out one after the
   * other.
   */
  readonly isAsked: (part: string) => boolean;
  sleep(milliseconds: number): Promise<void>;
}

export interface World {
  /** When the faults end, in milliseconds from the beginning. */
  readonly activeMilliseconds: number;
  /** Ends what strikes without `faults`. */
  readonly recover: () => void;
  /** Lets all work of the world come to an end after the last fault. May wait. */
  readonly comeToRest: () => Promise<void>;
  /** What is not decided yet. */
  readonly unfinished: () => readonly string[];
  /** Checks the world when all work has ended. May wait. */
  readonly checkAll: () => void | Promise<void>;
}

const startsAt = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;
/** How long after the last fault everything must be decided. */
const quietAtMost = 20 * minute;

/** One world: everything that happens in it follows from its seed. */
export const worldsOf =
  (part: Part, build: (frame: Frame) => World): RunWorld =>
  async ({ seed, without = new Set(), keeps = 'nothing' }) => {
    const scheduler = createScheduler(startsAt);
    const streams = createStreams(seed);
    const history = createHistory(scheduler, keeps);
    const faults = createFaults(streams, { part, without });
    const violations: string[] = [];
    const asked: string[] = [];
    const onViolation = (what: string): void => {
      if (violations.includes(what)) return;
      violations.push(what);
      history.say('violation', what);
    };
    const sleep = (milliseconds: number): Promise<void> =>
      new Promise((resolve) => scheduler.at(scheduler.now() + milliseconds, resolve));
    const { activeMilliseconds, recover, comeToRest, unfinished, checkAll } = build({
      scheduler,
      streams,
      faults,
      history,
      startsAt,
      onViolation,
      isAsked: (one) => {
        if (without.has(one)) return false;
        asked.push(one);
        return true;
      },
      sleep,
    });

    let hasEnded = false;
    const end = async (): Promise<void> => {
      faults.end();
      recover();
      history.say('world', 'no more faults from here on');
      await comeToRest();
      for (const quietSince = scheduler.now(); ; await sleep(1_000)) {
        const open = unfinished();
        if (open.length === 0) break;
        if (scheduler.now() - quietSince < quietAtMost) continue;
        onViolation(`Nothing decides ${open.join('; ')}`);
        return;
      }
      await checkAll();
    };
    scheduler.at(startsAt + activeMilliseconds, () => {
      void end()
        .catch((error: unknown) => onViolation(`The end of the world fails: ${String(error)}`))
        .then(() => {
          hasEnded = true;
        });
    });
    await scheduler.run(() => hasEnded || violations.length > 0);
    if (!hasEnded && violations.length === 0) onViolation('Nothing happens any more');
    const { struck } = faults;
    return { seed, violations, history: history.lines, struck, parts: [...asked, ...struck] };
  };
