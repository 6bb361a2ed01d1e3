/** Milliseconds since the Unix epoch. Code that depends on the time takes a `Clock`, so that tests can set the time. */
export type Clock = () => number;

/** Milliseconds since an arbitrary moment. Measures durations correctly even if the machine's clock is changed. */
export const monotonicClock: Clock = () => performance.now();

/**
 * Follows `wall`, the machine's clock. If `wall` is set back, the returned clock goes on from its latest value instead.
 */
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
