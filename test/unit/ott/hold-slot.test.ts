import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HoldOutcome, type HoldRequest, holdSlot } from '../../../shared/ott/sessions/hold-slot.ts';
import { moves, noSessions, repeats } from '../../../shared/ott/sessions/viewer-sessions.ts';

const start = Date.parse('2026-11-23T12:00:00Z');
const sessionLeaseMilliseconds = 300_000;
const limit = 2;
const events = ['final', 'semi-final', 'derby'];

/** The service, with a clock. It keeps all sessions of one viewer. */
const newService = () => {
  let now = start;
  let sessions = noSessions(start);
  let made = 0;
  return {
    now: () => now,
    wait: (seconds: number) => {
      now += seconds * 1_000;
    },
    sessions: () => sessions,
    call: (request: Pick<HoldRequest, 'sessionId' | 'eventId' | 'continuation'>): HoldOutcome => {
      made += 1;
      const outcome = holdSlot(sessions, {
        ...request,
        newContinuation: `continuation-${made}`,
        limits: new Map([['arena', limit]]),
        now,
        endsAt: now + sessionLeaseMilliseconds,
        address: 'here',
      });
      if ('sessions' in outcome) sessions = outcome.sessions;
      return outcome;
    },
  };
};

const isPlaying = (outcome: HoldOutcome): outcome is Extract<HoldOutcome, { outcome: 'kept' | 'changed' }> =>
  outcome.outcome === 'kept' || outcome.outcome === 'changed';

describe('the screens of an honest viewer', () => {
  const step = fc.record({
    seconds: fc.integer({ min: 0, max: 90 }),
    screen: fc.nat({ max: limit - 1 }),
    event: fc.option(fc.constantFrom(...events), { freq: 4 }),
    fate: fc.constantFrom('answered', 'answered', 'lost', 'repeated', 'repeated and first answered'),
    /** How many steps later another copy of the call arrives, whose response nobody reads. */
    copyAfter: fc.option(fc.nat({ max: 6 }), { freq: 2 }),
  });

  it('are never refused, for any order of lost responses and repeated or late calls', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const service = newService();
        const screens = Array.from({ length: limit }, (_, at) => ({
          sessionId: `screen-${at}`,
          eventId: 'final',
          continuation: undefined as string | undefined,
        }));
        const late: { readonly after: number; readonly call: () => void }[] = [];
        for (const [at, { seconds, screen, event, fate, copyAfter }] of steps.entries()) {
          service.wait(seconds);
          for (const { after, call } of late) if (after === at) call();
          const page = screens[screen];
          if (page === undefined) continue;
          const { movedAt, repeatedAt } = service.sessions();
          if (event !== null && movedAt.length < moves.most - 4) page.eventId = event;
          const isBeginLimited = repeatedAt.length > repeats.most - 4;
          const request = { ...page };
          const outcomes = [service.call(request)];
          const isRepeated = fate.startsWith('repeated') && !isBeginLimited;
          if (isRepeated) outcomes.push(service.call(request));
          if (copyAfter !== null && !isBeginLimited) {
            late.push({ after: at + 1 + copyAfter, call: () => service.call(request) });
          }

          expect(outcomes.map(({ outcome }) => outcome)).toEqual(
            outcomes.map(() => expect.stringMatching(/^(kept|changed)$/)),
          );
          const read = fate === 'repeated' ? outcomes.at(-1) : outcomes[0];
          const isLost = fate === 'lost' && !isBeginLimited;
          if (!isLost && read !== undefined && isPlaying(read)) page.continuation = read.continuation;
        }
        expect(service.sessions().slots.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('many devices that share one session id', () => {
  const devices = 20;

  it('are reduced to one playing device after each has renewed once, in any order', () => {
    const order = fc.shuffledSubarray(
      Array.from({ length: devices }, (_, at) => at),
      { minLength: devices },
    );
    fc.assert(
      fc.property(fc.array(order, { minLength: 3, maxLength: 5 }), fc.nat({ max: 9 }), (rounds, between) => {
        const service = newService();
        const continuations: (string | undefined)[] = Array.from({ length: devices });
        for (const [round, turns] of rounds.entries()) {
          const playing = turns.filter((device) => {
            const continuation = continuations[device];
            const outcome = service.call({ sessionId: 'shared', eventId: 'final', continuation });
            if (isPlaying(outcome)) continuations[device] = outcome.continuation;
            service.wait(between / 10);
            return isPlaying(outcome);
          });
          // Before anyone has renewed, the calls of the others could be repeats of the begin.
          if (round > 0) expect(playing).toHaveLength(1);
          else expect(playing.length).toBeLessThanOrEqual(1 + repeats.most);
          service.wait(180);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('can play on only one of the devices once two session lengths have passed since all of them copied one session token', () => {
    const service = newService();
    const begun = service.call({ sessionId: 'shared', eventId: 'final', continuation: undefined });
    const copied = isPlaying(begun) ? begun.continuation : undefined;
    const continuations = Array.from({ length: devices }, () => copied);
    const playing: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      service.wait(200);
      let count = 0;
      for (const [device, continuation] of continuations.entries()) {
        const outcome = service.call({ sessionId: 'shared', eventId: 'final', continuation });
        if (!isPlaying(outcome)) continue;
        continuations[device] = outcome.continuation;
        count += 1;
      }
      playing.push(count);
    }

    expect(playing.slice(1)).toEqual([1, 1, 1]);
  });

  it('get at most ten more responses an hour than one device, even if they coordinate their requests', () => {
    const choices = fc.record({
      seconds: fc.integer({ min: 0, max: 85 }),
      event: fc.constantFrom(...events),
      continuation: fc.constantFrom(undefined, 'invented', 'agreed'),
    });
    fc.assert(
      fc.property(fc.array(choices, { minLength: 1, maxLength: 40 }), (plan) => {
        const service = newService();
        let responses = 0;
        for (const { seconds, event: eventId, continuation } of plan) {
          service.wait(seconds);
          for (let device = 0; device < devices; device += 1) {
            const outcome = service.call({ sessionId: 'shared', eventId, continuation });
            if (isPlaying(outcome)) responses += 1;
          }
        }

        expect(responses - service.sessions().today.begun).toBeLessThanOrEqual(repeats.most);
      }),
      { numRuns: 200 },
    );
  });
});
