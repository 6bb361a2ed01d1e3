/** Indexes into the memory that an environment shares with the engine. */
const isAwake = 0;
const mayFreeze = 1;

/** The size of the shared memory: a 32-bit integer at each of the two indexes. */
export const sharedFreezerBytes = 8;

/** Lets the engine decide whether an environment may freeze, and thaw it. */
export const freezerOf = (shared: SharedArrayBuffer) => {
  const places = new Int32Array(shared);
  return {
    setFreezes: (freezes: boolean): void => {
      Atomics.store(places, mayFreeze, freezes ? 1 : 0);
    },
    /** Call this after the next invocation has been posted to the thread. */
    thaw: (): void => {
      Atomics.store(places, isAwake, 1);
      Atomics.notify(places, isAwake);
    },
  };
};

/** Lets an execution environment freeze itself until the engine thaws it. */
export const freezerWithin = (shared: SharedArrayBuffer) => {
  const places = new Int32Array(shared);
  return {
    /** Call this when an invocation has arrived. After this call, the next `freeze` waits for the next `thaw`. */
    began: (): void => {
      Atomics.store(places, isAwake, 0);
    },
    /**
     * Stops the whole thread, with its timers, sockets and promises, until `thaw`. Work that became due meanwhile runs
     * right before the next invocation.
     */
    freeze: (): void => {
      if (Atomics.load(places, mayFreeze) === 1) Atomics.wait(places, isAwake, 0);
    },
  };
};
