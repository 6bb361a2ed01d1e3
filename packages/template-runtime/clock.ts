/** Milliseconds since the Unix epoch. Code that depends on the time takes a `Clock`, so that tests can set it. */
export type Clock = () => number;

/** Milliseconds since an arbitrary moment. Measures durations correctly even if the machine's clock is changed. */
export const monotonicClock: Clock = () => performance.now();

/** Follows the machine's clock. When that is set back, this clock continues from its latest value instead. */
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
