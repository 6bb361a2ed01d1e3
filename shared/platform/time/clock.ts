/** Milliseconds since the epoch. Passed as a parameter, so that tests can control time. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
