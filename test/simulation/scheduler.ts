/** Virtual time. Only what is scheduled here happens, one event after the other. */

export interface Scheduler {
  /** Milliseconds since the epoch: the true time, from which each process's own clock may differ. */
  now(): number;
  /** Calls `act` at this time, or now if the time has passed. Events of one millisecond happen in the order of the calls. */
  at(time: number, act: () => void): void;
  /** Lets events happen, in the order of their times, until `isOver` or until there are none. */
  run(isOver: () => boolean): Promise<void>;
}

interface Event {
  readonly time: number;
  readonly order: number;
  readonly act: () => void;
}

const isBefore = (one: Event, other: Event): boolean =>
  one.time < other.time || (one.time === other.time && one.order < other.order);

/** A binary heap: the earliest event first. */
const eventQueue = () => {
  const heap: Event[] = [];
  const swap = (one: number, other: number): void => {
    const [a, b] = [heap[one], heap[other]];
    if (a === undefined || b === undefined) return;
    heap[one] = b;
    heap[other] = a;
  };
  const isOutOfOrder = (child: number, parent: number): boolean => {
    const [a, b] = [heap[child], heap[parent]];
    return a !== undefined && b !== undefined && isBefore(a, b);
  };
  return {
    push: (event: Event): void => {
      heap.push(event);
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (!isOutOfOrder(index, parent)) return;
        swap(index, parent);
        index = parent;
      }
    },
    pop: (): Event | undefined => {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || first === last) return first;
      heap[0] = last;
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2];
        const least = isOutOfOrder(right, left) ? right : left;
        if (!isOutOfOrder(least, index)) return first;
        swap(least, index);
        index = least;
      }
    },
  };
};

/**
 * Resolves after all promises that are settled now, and those that they settle, have called their continuations: Node.js
 * calls what waits for the next tick only then. `setImmediate` would do the same, but takes longer.
 */
const continuations = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

export const createScheduler = (startsAt: number): Scheduler => {
  const queue = eventQueue();
  let time = startsAt;
  let order = 0;
  return {
    now: () => time,
    at: (wanted, act) => {
      order += 1;
      queue.push({ time: Math.max(time, Math.round(wanted)), order, act });
    },
    run: async (isOver) => {
      while (!isOver()) {
        const event = queue.pop();
        if (event === undefined) break;
        time = event.time;
        event.act();
        await continuations();
      }
      // Waits until Node.js has had the chance to end the process because of a rejected promise that nothing handles.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
};
