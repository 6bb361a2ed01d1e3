import type { Clock } from '../../../shared/platform/time/clock.ts';
import { type Panels, type Part, parts, type Readings, type Verdict, verdictOf } from './verdict.ts';

/** The state of a stage, read at once. */
export interface StageMoment {
  /** When the reading began, epoch milliseconds. */
  readonly begunAt: number;
  /** When the reading ended, epoch milliseconds. Nothing that was read is newer. */
  readonly at: number;
  /** A part that could not be read has its last reading. */
  readonly readings: Readings;
  /** When each part was last read. */
  readonly readAt: Readonly<Partial<Record<Part, number>>>;
  readonly verdict: Verdict;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Reads all parts of a stage at once, and judges them. */
export const readMoment = async (
  panels: Pick<Panels, Part>,
  {
    clock,
    signers: allSigners,
    command,
    before,
  }: {
    readonly clock: Clock;
    /** How many signers the deployed stage has. */
    readonly signers: number;
    readonly command: (words: string) => string;
    /** The moment that was read before. @default none */
    readonly before?: StageMoment | undefined;
  },
): Promise<StageMoment> => {
  const begunAt = clock();
  const failures: Partial<Record<Part, string>> = {};
  const read = async <Name extends Part>(
    part: Name,
    reading: Promise<Readings[Name]>,
  ): Promise<Readings[Name]> => {
    try {
      return await reading;
    } catch (error) {
      failures[part] = reasonOf(error);
      return before?.readings[part];
    }
  };
  const [signers, notifications, services, alarms] = await Promise.all([
    read('signers', panels.signers()),
    read('notifications', panels.notifications()),
    read('services', panels.services()),
    read('alarms', panels.alarms()),
  ]);
  const at = clock();
  const readings: Readings = { signers, notifications, services, alarms, failures };
  return {
    begunAt,
    at,
    readings,
    readAt: Object.fromEntries(
      parts.map((part) => [part, failures[part] === undefined ? at : before?.readAt[part]]),
    ),
    verdict: verdictOf(readings, { now: at, signers: allSigners, command }),
  };
};
