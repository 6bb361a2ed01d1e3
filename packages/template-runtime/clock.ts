/** Milliseconds since the Unix epoch. Passed in wherever time decides something, so that tests hold it. */
export type Clock = () => number;

/** Milliseconds since some moment. Measures durations correctly even if the machine's clock is changed. */
export const monotonicClock: Clock = () => performance.now();
