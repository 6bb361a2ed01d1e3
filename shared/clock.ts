/** Milliseconds since the Unix epoch. Passed in wherever time decides something, so that tests control it. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
