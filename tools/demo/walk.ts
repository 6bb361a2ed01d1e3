import { randomBytes } from 'node:crypto';
import { accountChapter } from './account.ts';
import { catalogueChapter, streamChapter } from './catalogue.ts';
import { collectionChapter } from './collection.ts';
import { notificationChapter } from './notification.ts';
import { scheduleChapters } from './schedule.ts';
import type { RunStep, Show } from './show.ts';
import { type Chapter, later, type Step, UnexpectedError } from './step.ts';
import { type FoundSystem, findSystem, startSystem } from './system.ts';
import { ticketChapter } from './tickets.ts';
import type { World } from './world.ts';

export class FailedStepError extends Error {
  readonly chapter: string;
  readonly step: string;
  readonly expected: string;
  readonly seen: string;

  constructor({ chapter, step, cause }: { chapter: Chapter; step: Step; cause: unknown }) {
    super(`${chapter.title}: ${step.title}`, { cause });
    this.name = 'FailedStepError';
    this.chapter = chapter.title;
    this.step = step.title;
    this.expected = cause instanceof UnexpectedError ? cause.expected : 'the step to succeed';
    this.seen = cause instanceof UnexpectedError ? cause.seen : reasonOf(cause);
  }
}

/** The messages of an error and of its causes: `fetch` puts the reason into the error's `cause`. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const reason = error.message === '' ? error.name : error.message;
  return error.cause === undefined ? reason : `${reason} (${reasonOf(error.cause)})`;
};

export interface WalkOptions {
  readonly show: Show;
  /** Aborting this signal ends the walk. Its reason is shown as the result of the step that was running. */
  readonly signal: AbortSignal;
  readonly outputsFile: string;
  readonly start: 'if-none' | 'always' | 'never';
}

const aborted = async (signal: AbortSignal): Promise<never> => {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
};

const givenUpMilliseconds = 5_000;

const settled = async (work: Promise<unknown>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, givenUpMilliseconds);
  void Promise.allSettled([work]).then(() => resolve());
  await promise;
  clearTimeout(timer);
};

/** Runs all chapters, then undoes their changes, even if a step fails. */
export const walk = async ({ show, signal, outputsFile, start }: WalkOptions): Promise<void> => {
  const system = later<FoundSystem>();
  const undoing: Step[] = [];
  const atEnd: World['atEnd'] = (title, undo) => {
    undoing.unshift({
      title,
      run: async () => {
        await undo();
        return 'done';
      },
    });
  };
  const world: World = {
    outputs: () => system.get().outputs,
    outputsFile: () => system.get().outputsFile,
    run: `demo-${randomBytes(4).toString('hex')}`,
    signal,
    atEnd,
  };

  const systemChapter: Chapter = {
    title: 'The system',
    steps: [
      {
        title: 'Find or start it',
        run: async () => {
          const found = start === 'always' ? undefined : await findSystem(outputsFile);
          if (found === undefined && start === 'never') {
            throw new UnexpectedError({
              expected: `a running system at the addresses in ${outputsFile}`,
              seen: 'no system that responds',
            });
          }
          system.set(found ?? (await startSystem({ signal, atEnd })));
          const { isOurs, outputs } = system.get();
          return `${isOurs ? 'started' : 'runs'} at ${new URL(outputs.base_url).origin}`;
        },
      },
    ],
  };

  const schedule = scheduleChapters(world);
  const over = aborted(signal);
  let running: Promise<unknown> = Promise.resolve();
  const runWithin: RunStep = async (chapter, step) => {
    try {
      const work = step.run();
      running = work;
      return await Promise.race([work, over]);
    } catch (cause) {
      throw new FailedStepError({ chapter, step, cause: signal.aborted ? signal.reason : cause });
    }
  };

  try {
    await show(
      [
        systemChapter,
        collectionChapter(world),
        notificationChapter(world),
        catalogueChapter(world),
        streamChapter(world),
        schedule.match,
        ticketChapter(world),
        schedule.told,
        accountChapter(world),
      ],
      runWithin,
    );
  } catch (error) {
    // The interrupted step may still add a change that must be undone, so this waits until the step has ended.
    await settled(running);
    await putBack(show, undoing);
    throw error;
  }
  const [failed] = await putBack(show, undoing);
  if (failed !== undefined) throw failed;
};

/** Undoes all changes, and returns the errors of those that could not be undone. */
const putBack = async (show: Show, steps: readonly Step[]): Promise<readonly FailedStepError[]> => {
  const failures: FailedStepError[] = [];
  const runAll: RunStep = async (chapter, step) => {
    try {
      return await step.run();
    } catch (cause) {
      const failure = new FailedStepError({ chapter, step, cause });
      failures.push(failure);
      return `not done: ${failure.seen}`;
    }
  };
  if (steps.length > 0) await show([{ title: 'Undo all changes', steps }], runAll);
  return failures;
};
