/** Positions in the memory that an environment shares with the engine. */
const isAwake = 0;
const mayFreeze = 1;

/** Four bytes each. */
export const sharedFreezerBytes = 8;

/** The engine's side. */
export const freezerOf = (shared: SharedArrayBuffer) => {
  const places = new Int32Array(shared);
  return {
    setFreezes: (freezes: boolean): void => {
      Atomics.store(places, mayFreeze, freezes ? 1 : 0);
    },
    /** Call this when the next invocation has been posted. */
    thaw: (): void => {
      Atomics.store(places, isAwake, 1);
      Atomics.notify(places, isAwake);
    },
  };
};

/** The environment's side. */
export const freezerWithin = (shared: SharedArrayBuffer) => {
  const places = new Int32Array(shared);
  return {
    /** An invocation has arrived: the next freeze waits until after it. */
    began: (): void => {
      Atomics.store(places, isAwake, 0);
    },
    /**
     * Stops the whole thread until it is thawed: timers, sockets and promises all stop. What fell due meanwhile runs
     * right before the next invocation.
     */
    freeze: (): void => {
      if (Atomics.load(places, mayFreeze) === 1) Atomics.wait(places, isAwake, 0);
    },
  };
};
