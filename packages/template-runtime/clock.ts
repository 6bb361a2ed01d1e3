/** Milliseconds since the Unix epoch. Passed in wherever time decides something, so that tests hold it. */
export type Clock = () => number;
