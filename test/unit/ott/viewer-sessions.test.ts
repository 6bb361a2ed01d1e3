import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdSlot } from '../../../shared/ott/sessions/hold-slot.ts';
import {
  endSlot,
  frees,
  noSessions,
  type ViewerSessions,
} from '../../../shared/ott/sessions/viewer-sessions.ts';

const start = Date.parse('2026-11-23T20:00:00Z');
const sessionMilliseconds = 300_000;
const minute = 60_000;

let made = 0;
const newContinuation = () => {
  made += 1;
  return `continuation-${made}`;
};

describe('a viewer’s sessions', () => {
  const limit = 2;
  const hold = (
    sessions: ViewerSessions,
    sessionId: string,
    {
      minutes = 0,
      eventId = 'final',
      takeOver = undefined as string | undefined,
      most = limit,
      endsAt = undefined as number | undefined,
      continuation = undefined as string | undefined,
      address = 'here',
    } = {},
  ) => {
    const now = start + minutes * minute;
    const slot = sessions.slots.find((one) => one.sessionId === sessionId);
    return holdSlot(sessions, {
      sessionId,
      eventId,
      takeOver,
      continuation: continuation ?? slot?.continuations.at(-1),
      newContinuation: newContinuation(),
      limits: new Map([['arena', most]]),
      now,
      endsAt: endsAt ?? now + sessionMilliseconds,
      address,
    });
  };
  const begun = (...ids: readonly string[]): ViewerSessions =>
    ids.reduce((sessions, id) => {
      const held = hold(sessions, id);
      return held.outcome === 'changed' ? held.sessions : sessions;
    }, noSessions(start));

  it('keep their end when renewed in the first half of a lease, and get a later end in the second', () => {
    const sessions = begun('phone');

    expect(hold(sessions, 'phone', { minutes: 2 })).toMatchObject({
      outcome: 'kept',
      endsAt: start + sessionMilliseconds,
    });
    expect(hold(sessions, 'phone', { minutes: 3 })).toMatchObject({
      outcome: 'changed',
      slot: { beganAt: start, endsAt: start + 3 * minute + sessionMilliseconds },
    });
  });

  it('are kept as they are in the second half, too, where no signature would last longer', () => {
    const [end, late] = [start + sessionMilliseconds, { minutes: 4 }];

    expect(hold(begun('phone'), 'phone', { ...late, endsAt: end })).toMatchObject({
      outcome: 'kept',
      endsAt: end,
    });
    expect(hold(begun('phone'), 'phone', { ...late, endsAt: end + 1 })).toMatchObject({ outcome: 'changed' });
  });

  it('remember the first twenty addresses of a day', () => {
    const addresses = Array.from({ length: 25 }, (_, index) => `address ${index}`);
    const last = addresses.reduce((sessions, address, minutes) => {
      const held = hold(sessions, 'phone', { address, minutes: minutes * 3 });
      return held.outcome === 'changed' ? held.sessions : sessions;
    }, noSessions(start));

    expect(last.today.addresses).toEqual(addresses.slice(0, 20));
  });

  it('are renewed by any of the newest twenty continuations, if a lost response was asked for again and again', () => {
    const sessions = begun('phone');
    const continuation = sessions.slots[0]?.continuations[0];
    const calls = Array.from({ length: 25 }, (_, index) => index);
    const last = calls.reduce((before) => {
      const held = hold(before, 'phone', { minutes: 3, continuation });
      return held.outcome === 'changed' ? held.sessions : before;
    }, sessions);

    expect(last.slots[0]?.continuations).toHaveLength(20);
    expect(new Set(last.slots[0]?.continuations).size).toBe(20);
    expect(last.slots[0]?.continuations).not.toContain(continuation);
  });

  it('never exceed the limit, and make room when one ends', () => {
    const sessions = begun('phone', 'tablet', 'television');

    expect(sessions.slots.map(({ sessionId }) => sessionId)).toEqual(['phone', 'tablet']);
    expect(hold(sessions, 'television', { minutes: 1 }).outcome).toBe('full');
    expect(hold(sessions, 'television', { minutes: 5 })).toMatchObject({
      outcome: 'changed',
      sessions: { slots: [{ sessionId: 'television' }] },
    });
  });

  it('can be taken over, after which the old device stays locked out for an hour', () => {
    const held = hold(begun('phone', 'tablet'), 'television', { takeOver: 'phone' });

    const sessions = held.outcome === 'changed' ? held.sessions : noSessions(start);
    expect(sessions.slots.map(({ sessionId }) => sessionId)).toEqual(['tablet', 'television']);
    expect(hold(sessions, 'phone', { minutes: 59 }).outcome).toBe('taken-over');
    expect(hold(sessions, 'phone', { minutes: 61 }).outcome).toBe('changed');
    // The page repeats the takeover, because the response was lost.
    expect(hold(sessions, 'television', { takeOver: 'phone' }).outcome).toBe('kept');
  });

  it('move with their tab to another event and keep their slot', () => {
    const held = hold(begun('phone', 'tablet'), 'phone', { eventId: 'semi-final', minutes: 1 });

    expect(held).toMatchObject({
      outcome: 'changed',
      sessions: {
        slots: [
          { sessionId: 'phone', eventId: 'semi-final' },
          { sessionId: 'tablet', eventId: 'final' },
        ],
      },
    });
  });

  it('can be taken over one after the other, and each stays locked out', () => {
    let sessions = begun('phone', 'tablet');
    for (const [id, takeOver] of [
      ['television', 'phone'],
      ['watch', 'tablet'],
    ] as const) {
      const held = hold(sessions, id, { takeOver });
      if (held.outcome === 'changed') sessions = held.sessions;
    }

    expect(sessions.slots.map(({ sessionId }) => sessionId)).toEqual(['television', 'watch']);
    expect(sessions.today).toMatchObject({ begun: 4, takenOver: 2 });
    for (const id of ['phone', 'tablet']) {
      expect(hold(sessions, id, { minutes: 59 }).outcome).toBe('taken-over');
    }
  });

  it('can move to another event twenty times in ten minutes, and are then refused with the time of a retry', () => {
    let sessions = begun('phone');
    const move = (eventId: string, minutes: number) => {
      const held = hold(sessions, 'phone', { eventId, minutes });
      if (held.outcome === 'changed') sessions = held.sessions;
      return held;
    };
    for (let moved = 1; moved <= 20; moved += 1) expect(move(`event-${moved}`, 0).outcome).toBe('changed');
    // Renewals keep the slot.
    for (const minutes of [3, 6, 9]) move('event-20', minutes);

    expect(move('final', 9)).toEqual({ outcome: 'changes-used', retryAt: start + 10 * minute });
    expect(move('final', 10).outcome).toBe('changed');
  });

  it('can be freed early three times in ten minutes, and are then refused with the time of a retry', () => {
    let sessions = begun('a', 'b');
    for (const [index, id] of ['c', 'd', 'e'].entries()) {
      const held = hold(sessions, id, { takeOver: ['a', 'b', 'c'][index], minutes: index });
      if (held.outcome === 'changed') sessions = held.sessions;
    }

    // The first lease of `d` ends after six minutes.
    const refused = hold(sessions, 'f', { takeOver: 'd', minutes: 4 });
    expect(refused).toEqual({ outcome: 'changes-used', retryAt: start + 6 * minute });
    const endOf = (minutes: number) =>
      endSlot(sessions, { sessionId: 'e', eventId: 'final', now: start + minutes * minute });
    expect(endOf(4)).toEqual({ outcome: 'changes-used', retryAt: start + 7 * minute });
    for (let minutes = 4; minutes < 10; minutes += 1) {
      for (const id of ['d', 'e']) {
        const held = hold(sessions, id, { minutes });
        if (held.outcome === 'changed') sessions = held.sessions;
      }
    }
    expect(hold(sessions, 'f', { takeOver: 'd', minutes: 9 })).toEqual({
      outcome: 'changes-used',
      retryAt: start + 10 * minute,
    });
    expect(hold(sessions, 'f', { takeOver: 'd', minutes: 10 }).outcome).toBe('changed');
  });

  it('can still be taken over after the limit was lowered', () => {
    const sessions = begun('phone', 'tablet');

    const lowered = hold(sessions, 'tablet', { minutes: 4, most: 1 });
    expect(lowered).toMatchObject({ outcome: 'full', slots: [{ sessionId: 'phone' }] });
    expect(hold(sessions, 'tablet', { minutes: 4, most: 1, takeOver: 'phone' })).toMatchObject({
      outcome: 'changed',
      sessions: { slots: [{ sessionId: 'tablet' }] },
    });
    expect(hold(sessions, 'phone', { minutes: 4, most: 1 }).outcome).toBe('changed');
  });

  it('never play on more devices than the limit plus the number of early frees', () => {
    const devices = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const step = fc.record({
      seconds: fc.constantFrom(0, 1, 5, 20, 60, 200),
      device: fc.constantFrom(...devices),
      event: fc.constantFrom('final', 'semi-final'),
      kind: fc.constantFrom('hold', 'hold', 'take over', 'end'),
      other: fc.constantFrom(...devices),
      presents: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 80, size: 'max' }),
        fc.integer({ min: 1, max: 3 }),
        (steps, most) => {
          let now = start;
          let sessions = noSessions(start);
          const signatures: { readonly device: string; readonly endsAt: number }[] = [];
          for (const { seconds, device, event, kind, other, presents } of steps) {
            now += seconds * 1_000;
            if (kind === 'end') {
              const ended = endSlot(sessions, { sessionId: device, eventId: event, now });
              if (ended.outcome === 'changed') sessions = ended.sessions;
              continue;
            }
            const own = sessions.slots.find(({ sessionId }) => sessionId === device);
            const held = holdSlot(sessions, {
              sessionId: device,
              eventId: event,
              takeOver: kind === 'take over' ? other : undefined,
              continuation: presents ? own?.continuations.at(-1) : undefined,
              newContinuation: newContinuation(),
              limits: new Map([['arena', most]]),
              now,
              endsAt: now + sessionMilliseconds,
              address: 'here',
            });
            if (held.outcome === 'changed') sessions = held.sessions;
            if (held.outcome === 'changed' || held.outcome === 'kept') {
              signatures.push({ device, endsAt: held.slot.endsAt });
            }
            expect(sessions.slots.filter(({ endsAt }) => endsAt > now).length).toBeLessThanOrEqual(most);
            const playing = signatures.filter(({ endsAt }) => endsAt > now);
            expect(new Set(playing.map(({ device }) => device)).size).toBeLessThanOrEqual(most + frees.most);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
