import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type System, startSystem } from '../test/support/system.ts';
import { type Measurement, median } from './measurement.ts';
import { type MintCalls, mintCalls, RefusedForNow } from './mint-calls.ts';

const mostSlowerMilliseconds = 300;
const mostSlowerFirstMilliseconds = 1_500;
const mostRecoveryMilliseconds = 5_000;
const leastShareOfMints = 0.8;
const callers = 200;
const mintConnections = 8;
/** Longer than a service is left alone, so that calls which try it again are among those measured. */
const lookMilliseconds = 5_000;
const refusingMilliseconds = 1_500;
const mintingMilliseconds = 5_000;
/** The environments start, and each loses its one time-out. */
const crowdingMilliseconds = 3_000;
/** Above what any call may take: one that is lost ends the measure, and does not hold it up. */
const lostMilliseconds = 20_000;

interface Kind {
  readonly path: string;
  /** Whether it is served while the entitlement service is out. */
  readonly isServed: boolean;
}

const list: Kind = { path: '?limit=20', isServed: true };
const event: Kind = { path: '/cup-final', isServed: true };
const freeStream: Kind = { path: '/derby-highlights/stream', isServed: true };
/** For a VIP, whose right to it nobody remembers: refused while the service is out. */
const paidStream: Kind = { path: '/cup-final/stream', isServed: false };

/** By the function that answers them: one caller's calls all go to one environment of each. */
const functions: readonly (readonly Kind[])[] = [[list], [event], [freeStream, paidStream]];
const kinds = functions.flat();

interface Call {
  readonly kind: Kind;
  readonly status: number;
  readonly milliseconds: number;
  /** When the answer came, by `performance.now()`. */
  readonly at: number;
}

const isWrong = ({ kind, status }: Call): boolean => status !== 200 && (kind.isServed || status !== 503);

const viewerOf = async ({ outputs, token }: System) => {
  const { base_url: baseUrl, entitlement_url: entitlementUrl } = outputs;
  const dispatcher = new Agent({
    connections: callers,
    headersTimeout: lostMilliseconds,
    bodyTimeout: lostMilliseconds,
  });
  const put = async (path: string, body: unknown): Promise<void> => {
    const { statusCode, body: answer } = await request(`${entitlementUrl}${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.dump();
    if (statusCode !== 200) throw new Error(`PUT ${path} answered ${statusCode}`);
  };
  await put('/users/vera', { vip: true });
  const authorization = `Bearer ${await token({ sub: 'vera', client_id: 'demo-web' })}`;
  return {
    behave: (mode: 'ok' | 'slow' | 'down') => put('/behaviour', { mode }),
    ask: async (kind: Kind): Promise<Call> => {
      const begun = performance.now();
      const { statusCode, body } = await request(`${baseUrl}/api/v3/ott/events${kind.path}`, {
        headers: { authorization },
        dispatcher,
      });
      await body.dump();
      const at = performance.now();
      return { kind, status: statusCode, milliseconds: at - begun, at };
    },
    stop: () => dispatcher.destroy(),
  };
};

type Viewer = Awaited<ReturnType<typeof viewerOf>>;

/** One call after the other, the kinds in turns. */
const askFor = async (
  { ask }: Viewer,
  { turns, milliseconds }: { readonly turns: readonly Kind[]; readonly milliseconds: number },
): Promise<Call[]> => {
  const calls: Call[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) for (const kind of turns) calls.push(await ask(kind));
  return calls;
};

/** Waits until the one environment of each function is answered by the service again. */
const settle = async ({ behave, ask }: Viewer): Promise<void> => {
  await behave('ok');
  const latest = performance.now() + lostMilliseconds;
  while ((await ask(paidStream)).status !== 200) {
    if (performance.now() > latest) throw new Error('A paid stream is refused beside a sound service');
    await delay(100);
  }
  // The others were left alone no later.
  for (const kind of kinds) {
    const { status } = await ask(kind);
    if (status !== 200) throw new Error(`GET …${kind.path} answered ${status} beside a sound service`);
  }
};

/** One caller, before and after the service that refused comes to hang. */
const measureOneCaller = async (viewer: Viewer): Promise<Measurement[]> => {
  const slowerFirst: number[] = [];
  const slower: number[] = [];
  const calls: Call[] = [];
  for (const turns of functions) {
    await settle(viewer);
    await viewer.behave('down');
    const refused = await askFor(viewer, { turns, milliseconds: refusingMilliseconds });
    const usual = new Map(
      turns.map((kind) => [
        kind,
        median(refused.filter((call) => call.kind === kind).map(({ milliseconds }) => milliseconds)),
      ]),
    );
    const beyond = ({ kind, milliseconds }: Call) => milliseconds - (usual.get(kind) ?? 0);
    await viewer.behave('slow');
    const [first, ...later] = await askFor(viewer, { turns, milliseconds: lookMilliseconds });
    if (first === undefined) throw new Error('There is a first call');
    slowerFirst.push(beyond(first));
    slower.push(...later.map(beyond));
    calls.push(...refused, first, ...later);
  }
  const slowestFirst = Math.max(...slowerFirst);
  const slowest = Math.max(...slower);
  const wrong = calls.filter(isWrong).length;
  return [
    {
      name: `first call, slower than beside one that refuses (at most ${mostSlowerFirstMilliseconds})`,
      value: slowestFirst,
      unit: 'ms',
      holds: slowestFirst <= mostSlowerFirstMilliseconds,
    },
    {
      name: `slowest of ${slower.length} later ones, slower than that (at most ${mostSlowerMilliseconds})`,
      value: slowest,
      unit: 'ms',
      holds: slowest <= mostSlowerMilliseconds,
    },
    { name: '  the usual one', value: median(slower), unit: 'ms' },
    {
      name: '  lists, events, free streams that were not 200 (none)',
      value: wrong,
      unit: '',
      holds: wrong === 0,
    },
  ];
};

/** Callers who each ask again when they are answered, until they are stopped. */
const crowd = ({ ask }: Viewer) => {
  const calls: Call[] = [];
  let goesOn = true;
  const all = Promise.all(
    Array.from({ length: callers }, async (_, index) => {
      const kind = kinds[index % kinds.length] ?? list;
      while (goesOn) calls.push(await ask(kind));
    }),
  );
  // Heard of when it is stopped.
  all.catch(() => {});
  return {
    stop: async (): Promise<readonly Call[]> => {
      goesOn = false;
      await all;
      return calls;
    },
  };
};

/** Mints in a closed loop; what is refused for now waits as long as it is told before it goes on. */
const mintUntil = async (
  { mint }: MintCalls,
  { contract, end }: { readonly contract: string; readonly end: number },
): Promise<{ readonly minted: number; readonly refused: number }> => {
  let minted = 0;
  let refused = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() < end) {
      try {
        const { at } = await mint(contract);
        if (at <= end) minted += 1;
      } catch (error) {
        if (!(error instanceof RefusedForNow)) throw error;
        refused += 1;
        await delay(1_000);
      }
    }
  };
  await Promise.all(Array.from({ length: mintConnections }, connection));
  return { minted, refused };
};

interface Round {
  readonly mintsPerSecond: number;
  /** Mints answered 503. */
  readonly refused: number;
  readonly wrong: number;
  readonly callsPerSecond: number;
  /** From when the service is sound again to the last answer that shows it was not, milliseconds. */
  readonly recovery: number;
}

const roundBeside = async (
  viewer: Viewer,
  {
    mode,
    mints,
    contract,
  }: { readonly mode: 'ok' | 'slow'; readonly mints: MintCalls; readonly contract: string },
): Promise<Round> => {
  await settle(viewer);
  await viewer.behave(mode);
  const callers = crowd(viewer);
  let minted = 0;
  let refused = 0;
  let healedAt = 0;
  let calls: readonly Call[] = [];
  const begun = performance.now();
  try {
    await delay(crowdingMilliseconds);
    const end = performance.now() + mintingMilliseconds;
    ({ minted, refused } = await mintUntil(mints, { contract, end }));
    await viewer.behave('ok');
    healedAt = performance.now();
    await delay(mostRecoveryMilliseconds);
  } finally {
    calls = await callers.stop();
  }
  const refusedAfter = calls.filter(({ status, at }) => status !== 200 && at > healedAt);
  return {
    mintsPerSecond: (minted / mintingMilliseconds) * 1_000,
    refused,
    wrong: calls.filter(isWrong).length,
    callsPerSecond: (calls.length / (performance.now() - begun)) * 1_000,
    recovery: Math.max(0, ...refusedAfter.map(({ at }) => at - healedAt)),
  };
};

/** Mints beside a crowd of viewers whose service is sound, and hangs, in turns. */
const measureMints = async (viewer: Viewer, mints: MintCalls): Promise<Measurement[]> => {
  const contract = await mints.create();
  await mints.run(contract, 50);
  const rounds: Readonly<Record<'ok' | 'slow', Round[]>> = { ok: [], slow: [] };
  for (const mode of ['ok', 'slow', 'slow', 'ok'] as const) {
    rounds[mode].push(await roundBeside(viewer, { mode, mints, contract }));
  }
  const mean = (mode: 'ok' | 'slow', of: (round: Round) => number): number =>
    rounds[mode].reduce((sum, round) => sum + of(round), 0) / rounds[mode].length;
  const rates = {
    ok: mean('ok', (round) => round.mintsPerSecond),
    slow: mean('slow', (round) => round.mintsPerSecond),
  };
  const share = rates.slow / rates.ok;
  const wrong = [...rounds.ok, ...rounds.slow].reduce((sum, round) => sum + round.wrong, 0);
  const recovery = Math.max(...rounds.slow.map((round) => round.recovery));
  return [
    { name: `mints beside ${callers} callers of a sound service`, value: rates.ok, unit: 'mints/s' },
    { name: '  of one that hangs', value: rates.slow, unit: 'mints/s' },
    {
      name: `  the share that is kept (at least ${leastShareOfMints})`,
      value: share,
      unit: '×',
      holds: share >= leastShareOfMints,
    },
    {
      name: '  mints refused for now beside a sound one, a round',
      value: mean('ok', (round) => round.refused),
      unit: '',
    },
    { name: '  beside one that hangs', value: mean('slow', (round) => round.refused), unit: '' },
    {
      name: '  the callers of a sound one',
      value: mean('ok', (round) => round.callsPerSecond),
      unit: 'calls/s',
    },
    {
      name: '  those of one that hangs',
      value: mean('slow', (round) => round.callsPerSecond),
      unit: 'calls/s',
    },
    {
      name: '  lists, events, free streams that were not 200 (none)',
      value: wrong,
      unit: '',
      holds: wrong === 0,
    },
    {
      name: `from its recovery to the last stream refused (at most ${mostRecoveryMilliseconds})`,
      value: recovery,
      unit: 'ms',
      holds: recovery <= mostRecoveryMilliseconds,
    },
  ];
};

/** What viewers and mints lose while the entitlement service takes questions and does not answer. */
export const measureHangingEntitlement = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem();
  cleanup.defer(() => system.dispose());
  const viewer = await viewerOf(system);
  cleanup.defer(() => viewer.stop());
  const mints = mintCalls(system, {
    connections: mintConnections,
    keys: false,
    application: system.outputs.applications[0],
  });
  cleanup.defer(() => mints.stop());
  return [...(await measureOneCaller(viewer)), ...(await measureMints(viewer, mints))];
};
