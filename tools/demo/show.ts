import { styleText } from 'node:util';
import { Listr } from 'listr2';
import type { Chapter, Step } from './step.ts';

export type RunStep = (chapter: Chapter, step: Step) => Promise<string>;

/** Runs chapters in order and shows the progress. Stops at the first step that throws. */
export type Show = (chapters: readonly Chapter[], run: RunStep) => Promise<void>;

const titleWidth = 24;

const timed = async (work: () => Promise<string>): Promise<{ text: string; milliseconds: number }> => {
  const began = performance.now();
  const text = await work();
  return { text, milliseconds: Math.round(performance.now() - began) };
};

const liveTasks = (chapters: readonly Chapter[], run: RunStep) =>
  new Listr<undefined, 'default'>(
    chapters.map((chapter) => ({
      title: chapter.title,
      task: (_, chapterTask) =>
        chapterTask.newListr(
          chapter.steps.map((step) => ({
            title: step.title,
            task: async (_context, task) => {
              const { text, milliseconds } = await timed(() => run(chapter, step));
              const time = styleText('dim', `${milliseconds} ms`);
              task.title = `${step.title.padEnd(titleWidth)}${styleText('cyan', text)}  ${time}`;
            },
          })),
        ),
    })),
    {
      // The caller of `showLive` handles interrupts, because it must undo changes.
      registerSignalListeners: false,
      rendererOptions: { collapseSubtasks: false, showErrorMessage: false, formatOutput: 'truncate' },
    },
  );

export const showLive =
  ({ rows }: { readonly rows: number }): Show =>
  async (chapters, run) => {
    const lines = chapters.reduce((sum, { steps }) => sum + 1 + steps.length, 0);
    // Lines that have scrolled off the terminal cannot be overwritten. If not all lines fit, each chapter is shown on
    // its own.
    const parts = lines < rows ? [chapters] : chapters.map((chapter) => [chapter]);
    for (const part of parts) await liveTasks(part, run).run();
  };

export const showPlainly =
  (print: (line: string) => void): Show =>
  async (chapters, run) => {
    for (const chapter of chapters) {
      print(chapter.title);
      for (const step of chapter.steps) {
        try {
          const { text, milliseconds } = await timed(() => run(chapter, step));
          print(`  ok    ${step.title.padEnd(titleWidth)}${text}  (${milliseconds} ms)`);
        } catch (error) {
          print(`  FAIL  ${step.title}`);
          throw error;
        }
      }
    }
  };
