/** Milliseconds since the Unix epoch. Passed in wherever time decides something, so that tests hold it. */
export type Clock = () => number;

/** Milliseconds since some moment. Measures durations correctly even if the machine's clock is changed. */
export const monotonicClock: Clock = () => performance.now();

/** The machine's clock, except that it does not follow when that is set back: it goes on by what passes. */
export const forwardClock = (wall: Clock): Clock => {
  let known = wall();
  let elapsed = monotonicClock();
  return () => {
    const passed = monotonicClock() - elapsed;
    elapsed += passed;
    known = Math.max(wall(), known + passed);
    return Math.floor(known);
  };
};
