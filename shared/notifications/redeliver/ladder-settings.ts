import * as z from 'zod';
import { type Ladder, ladderOf } from './redelivery.ts';

const seconds = z.int().positive();

/** When undelivered notifications are sent again. SNS itself tries for an hour at most. */
export const ladderSettings = z.strictObject({
  /** The pauses before the first attempts. */
  stepSeconds: z.array(seconds).min(1).default([300, 1_800, 7_200, 18_000, 36_000, 36_000]),
  /** The pause before each further attempt. */
  thenEverySeconds: seconds.default(43_200),
  /** Redelivery to an endpoint is paused after this time. */
  forSeconds: seconds.default(14 * 24 * 3_600),
  /**
   * A delivery whose outcome is unknown for this long after its publication counts as failed. It should be longer than
   * SNS tries to deliver.
   */
  outcomeSeconds: seconds.default(70 * 60),
});

const minute = 60_000;

/** After how many milliseconds an endpoint or a row is looked at again. The times of a ladder are not here. */
export const lookAgainAfter = {
  /** An endpoint or a row whose worker does not come, or does not come back. */
  worker: 5 * minute,
  /** An endpoint that is not subscribed at present. Nothing is sent to it, and it may be confirmed again later. */
  unsubscribed: 60 * minute,
  /** An endpoint while a replay of its application runs. */
  replay: minute,
  /** A row that was given up. The record is asked about it. */
  givenUp: 12 * 60 * minute,
};

/** The ladder in a function's environment, as JSON. */
export const ladderInEnvironment = z.string().transform((text): Ladder => {
  const settings = ladderSettings.parse(JSON.parse(text));
  return ladderOf({
    steps: settings.stepSeconds.map((step) => step * 1_000),
    every: settings.thenEverySeconds * 1_000,
    atMost: settings.forSeconds * 1_000,
    outcomeWithin: settings.outcomeSeconds * 1_000,
  });
});
