/** Milliseconds since the Unix epoch. Passed in wherever time decides something, so that tests hold it. */
export type Clock = () => number;

/** Milliseconds since some moment: for how long things take, whatever happens to the machine's clock meanwhile. */
export const monotonicClock: Clock = () => performance.now();
