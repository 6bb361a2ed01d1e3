import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { writeFileDurably } from '../../durable-file.ts';

const waitingSchema = z.object({
  id: z.string(),
  groupName: z.string(),
  filterName: z.string(),
  streamName: z.string(),
  logEvent: z.object({ id: z.string(), timestamp: z.number(), message: z.string() }),
});

export type WaitingEvent = z.output<typeof waitingSchema>;

const lineSchema = z.union([waitingSchema, z.object({ done: z.string() })]);

/** Returns `undefined` for a line that was only half written when the process died. */
const parsedLine = (text: string): z.output<typeof lineSchema> | undefined => {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

export const createWaitingEvents = (file: string) => {
  const waiting = new Map<string, WaitingEvent>();
  for (const text of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const line = parsedLine(text);
    if (line === undefined) continue;
    if ('done' in line) waiting.delete(line.done);
    else waiting.set(line.id, line);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileDurably(file, [...waiting.values()].map((event) => `${JSON.stringify(event)}\n`).join(''));

  return {
    add: (event: WaitingEvent): void => {
      waiting.set(event.id, event);
      appendFileSync(file, `${JSON.stringify(event)}\n`);
    },
    done: (id: string): void => {
      waiting.delete(id);
      if (waiting.size === 0) truncateSync(file);
      else appendFileSync(file, `${JSON.stringify({ done: id })}\n`);
    },
    of: ({ groupName, filterName }: Pick<WaitingEvent, 'groupName' | 'filterName'>): WaitingEvent[] =>
      [...waiting.values()].filter(
        (event) => event.groupName === groupName && event.filterName === filterName,
      ),
  };
};
