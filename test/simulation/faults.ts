import type { Random } from '../support/platform/seeded-random.ts';
import { oneOf, type Streams } from './streams.ts';

/** The kinds of faults that strike in every part of the service. */
const everywhere = {
  'database: call lost': 0.05,
  'database: answer lost': 0.05,
  'database: executed late': 0.05,
  'database: throttled': 0.1,
  'database: conflict': 0.15,
  'database: slow': 0.1,
  'database: index lags': 0.2,
  'database: batch answered in part': 0.3,
  'process: dies before a call': 0.02,
  'process: dies after a call': 0.02,
  'process: freezes': 0.02,
  'process: clock apart': 0.5,
} as const;

/**
 * Every kind of fault of a part, with how often it usually strikes in a world in which it strikes at all: per call, per
 * block, or per ten seconds of an endpoint.
 */
const requests = {
  ...everywhere,
  'process: reaches its deadline': 0.15,
  'key: does not answer': 0.1,
  'stream: late': 0.3,
  'stream: lost': 0.2,
  'stream: twice': 0.3,
  'schedule: missed': 0.2,
  'execution: lost': 0.1,
  'execution: answer lost': 0.1,
  'execution: runs twice': 0.2,
  'caller: asks twice': 0.2,
  'caller: gives up early': 0.1,
  'endpoint: down': 0.2,
  'endpoint: hangs': 0.1,
  'endpoint: lags': 0.3,
  'endpoint: stands still': 0.1,
  'endpoint: stays on a fork': 0.5,
  'endpoint: refuses': 0.05,
  'endpoint: answer lost': 0.05,
  'endpoint: hides receipts': 0.3,
  'endpoint: hides logs': 0.3,
  'endpoint: invents failures': 0.3,
  'endpoint: denies code': 0.3,
  'endpoint: swallows transactions': 0.2,
  'chain: reorganization': 0.05,
  'chain: final blocks replaced': 0.005,
  'chain: pool forgets': 0.05,
  'chain: earlier attempt mined': 0.5,
  'chain: mines nothing': 0.02,
  'chain: nothing becomes final': 0.02,
  'chain: fees rise': 0.02,
  'outsider: uses the key': 0.02,
  'outsider: takes orphaned nonces': 0.3,
} as const;

const restores = { ...requests, 'tables: lose items': 1 } as const;

const notifications = {
  ...everywhere,
  'topic: call lost': 0.05,
  'topic: answer lost': 0.05,
  'topic: throttled': 0.1,
  'topic: refuses one': 0.1,
  'topic: delivers late': 0.2,
  'topic: delivers twice': 0.1,
  'queue: call lost': 0.05,
  'queue: answer lost': 0.05,
  'queue: throttled': 0.05,
  'queue: late': 0.2,
  'queue: delivers twice': 0.1,
  'stream: late': 0.3,
  'stream: twice': 0.3,
  'log: late': 0.3,
  'log: lost': 0.02,
  'log: twice': 0.1,
  'receiver: down': 0.2,
  'receiver: refuses': 0.1,
  'receiver: answer lost': 0.1,
  'caller: asks twice': 0.2,
} as const;

const sessions = {
  ...everywhere,
  'entitlement: does not answer': 0.1,
  'caller: asks twice': 0.2,
  'page: goes without a word': 0.3,
} as const;

const wallets = {
  ...everywhere,
  'caller: asks twice': 0.2,
  'table: forgets what has expired': 0.3,
} as const;

const catalogue = {
  ...everywhere,
  'topic: call lost': 0.05,
  'topic: answer lost': 0.05,
  'topic: throttled': 0.1,
  'topic: refuses one': 0.1,
  'queue: call lost': 0.05,
  'queue: answer lost': 0.05,
  'queue: throttled': 0.05,
  'queue: late': 0.2,
  'stream: late': 0.3,
  'stream: twice': 0.3,
  'schedule: missed': 0.2,
  'caller: asks twice': 0.2,
} as const;

const reservations = { ...requests, 'entitlement: does not answer': 0.1 } as const;

const accounts = {
  ...requests,
  'topic: call lost': 0.05,
  'topic: throttled': 0.1,
  'topic: refuses one': 0.1,
} as const;

/** The kinds of faults of each part of the service. */
export const faultKinds = {
  money: requests,
  notifications,
  reservations,
  restores,
  sessions,
  wallets,
  catalogue,
  accounts,
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A part of the service that has worlds of its own. */
export type Part = keyof typeof faultKinds;
export const parts = Object.keys(faultKinds) as readonly Part[];

type KindOf<Kinds> = Kinds extends unknown ? keyof Kinds : never;
export type FaultKind = KindOf<(typeof faultKinds)[Part]>;

export interface Faults {
  /** Whether this kind strikes this process now. Each question of a process draws the next number of its own stream. */
  strike(kind: FaultKind, who: string): boolean;
  /** The faults that struck: `kind @ who # which question`. */
  readonly struck: readonly string[];
  /** From now on, no fault strikes. */
  end(): void;
  haveEnded(): boolean;
}

/** Kinds of faults that have an effect only where other kinds strike. */
const companions: ReadonlySet<FaultKind> = new Set([
  'chain: earlier attempt mined',
  'endpoint: stays on a fork',
  'outsider: takes orphaned nonces',
]);
/** Kinds of faults that make endpoints see abandoned forks, whose transactions differ from those of the chain. */
const ofForks: ReadonlySet<FaultKind> = new Set([
  'chain: reorganization',
  'endpoint: stays on a fork',
  'outsider: takes orphaned nonces',
]);
/** Kinds of faults that may strike in any world: they make the other kinds no rarer. */
const apart: ReadonlySet<FaultKind> = new Set([
  'database: index lags',
  'database: batch answered in part',
  'process: reaches its deadline',
]);
/** What strikes in each world of a part that has it. */
const always: FaultKind = 'tables: lose items';
const rateAtMost = 0.7;

/**
 * How often each kind strikes in this world. One world in twenty has no faults. Most others have a few kinds that
 * strike often, because what needs two or three kinds in a row is rare where everything fails; the rest have many kinds
 * that strike now and then. One world in eight has forks besides.
 */
const ratesOf = (streams: Streams, part: Part): ReadonlyMap<FaultKind, number> => {
  const kinds = Object.entries(faultKinds[part]) as [FaultKind, number][];
  const weather = streams.of('weather');
  const count = kinds.filter(([kind]) => !apart.has(kind) && kind !== always).length;
  const { share, strongest } = oneOf(weather, [
    { share: 2 / count, strongest: 1.2 },
    { share: 4 / count, strongest: 1 },
    { share: 8 / count, strongest: 0.8 },
    { share: 0.5, strongest: 0.3 },
  ]);
  const isFair = weather() < 0.05;
  const hasForks = streams.of('fork')() < 0.125;
  return new Map(
    kinds.map(([kind, usual]) => {
      const random = streams.of(`weather: ${kind}`);
      const strength = 10 ** ((strongest + 0.6) * random() - 0.6);
      const chance = companions.has(kind) ? 0.5 : share;
      const isDrawn = random() < (apart.has(kind) ? 0.1 : chance);
      const isOn = !isFair && (isDrawn || (hasForks && ofForks.has(kind)));
      if (kind === always) return [kind, usual];
      return [kind, isOn ? Math.min(rateAtMost, usual * strength) : 0];
    }),
  );
};

export const createFaults = (
  streams: Streams,
  { part, without }: { readonly part: Part; readonly without: ReadonlySet<string> },
): Faults => {
  const rates = ratesOf(streams, part);
  const streamsOf = new Map<string, { readonly random: Random; asked: number }>();
  const struck: string[] = [];
  let hasEnded = false;
  return {
    struck,
    end: () => {
      hasEnded = true;
    },
    haveEnded: () => hasEnded,
    strike: (kind, who) => {
      const rate = rates.get(kind) ?? 0;
      if (rate === 0 || hasEnded) return false;
      const name = `${kind} @ ${who}`;
      const stream = streamsOf.get(name) ?? { random: streams.of(name), asked: 0 };
      streamsOf.set(name, stream);
      stream.asked += 1;
      if (stream.random() >= rate) return false;
      const fault = `${name} # ${stream.asked}`;
      if (without.has(kind) || without.has(fault)) return false;
      struck.push(fault);
      return true;
    },
  };
};
