import type { Streams } from './streams.ts';

/**
 * Every kind of fault, with how often it strikes in a world in which it is frequent: per call, or for what names a
 * time, per minute.
 */
export const faultKinds = {
  'database: call lost': 0.05,
  'database: answer lost': 0.05,
  'database: executed late': 0.05,
  'database: throttled': 0.1,
  'database: conflict': 0.15,
  'database: slow': 0.1,
  'process: dies before a call': 0.02,
  'process: dies after a call': 0.02,
  'process: freezes': 0.01,
  'process: clock apart': 0.5,
  'stream: late': 0.3,
  'stream: lost': 0.2,
  'stream: twice': 0.3,
  'schedule: missed': 0.2,
  'execution: lost': 0.05,
  'execution: answer lost': 0.05,
  'execution: runs twice': 0.05,
  'caller: asks twice': 0.2,
  'caller: gives up early': 0.1,
  'endpoint: down': 0.3,
  'endpoint: hangs': 0.2,
  'endpoint: lags': 0.4,
  'endpoint: stands still': 0.2,
  'endpoint: on a fork': 0.2,
  'endpoint: refuses': 0.05,
  'endpoint: hides receipts': 0.3,
  'endpoint: hides logs': 0.3,
  'endpoint: swallows transactions': 0.3,
  'endpoint: answer lost': 0.05,
  'chain: reorganization': 0.05,
  'chain: pool forgets': 0.05,
  'chain: earlier attempt mined': 0.3,
  'chain: mines nothing': 0.1,
  'chain: fees rise': 0.1,
} as const satisfies Readonly<Record<string, number>>;

export type FaultKind = keyof typeof faultKinds;

export interface Faults {
  /** Whether this kind strikes this process now. Each question of a process draws the next number of its own stream. */
  strike(kind: FaultKind, who: string): boolean;
  /** The faults that struck: `kind @ who # which question`. */
  readonly struck: readonly string[];
  /** From now on, no fault strikes. */
  end(): void;
}

/** How often each kind strikes in this world. Most kinds do not strike in most worlds. */
const ratesOf = (streams: Streams): ReadonlyMap<FaultKind, number> => {
  const isFair = streams.of('weather')() < 0.05;
  const share = streams.of('weather: share')();
  return new Map(
    (Object.keys(faultKinds) as FaultKind[]).map((kind) => {
      const random = streams.of(`weather: ${kind}`);
      const isOn = !isFair && random() < 0.15 + 0.5 * share;
      return [kind, isOn ? faultKinds[kind] * (0.1 + random()) : 0];
    }),
  );
};

export const createFaults = (
  streams: Streams,
  { without }: { readonly without: ReadonlySet<string> },
): Faults => {
  const rates = ratesOf(streams);
  const asked = new Map<string, number>();
  const struck: string[] = [];
  let hasEnded = false;
  return {
    struck,
    end: () => {
      hasEnded = true;
    },
    strike: (kind, who) => {
      const rate = rates.get(kind) ?? 0;
      if (rate === 0 || hasEnded) return false;
      const stream = `${kind} @ ${who}`;
      const which = (asked.get(stream) ?? 0) + 1;
      asked.set(stream, which);
      if (streams.of(stream)() >= rate) return false;
      const fault = `${stream} # ${which}`;
      if (without.has(kind) || without.has(fault)) return false;
      struck.push(fault);
      return true;
    },
  };
};
