import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endSlot, holdSlot, noSessions, type ViewerSessions } from '../../../shared/ott/viewer-sessions.ts';

const start = Date.parse('2026-11-23T20:00:00Z');
const sessionMilliseconds = 300_000;
const minute = 60_000;

describe('a viewer’s sessions', () => {
  const limit = 2;
  const hold = (
    sessions: ViewerSessions,
    sessionId: string,
    { minutes = 0, eventId = 'final', takeOver = undefined as string | undefined } = {},
  ) => {
    const now = start + minutes * minute;
    const request = { sessionId, eventId, takeOver, limit, now, endsAt: now + sessionMilliseconds };
    return holdSlot(sessions, { ...request, address: 'here' });
  };
  const begun = (...ids: readonly string[]): ViewerSessions =>
    ids.reduce((sessions, id) => {
      const held = hold(sessions, id);
      return held.outcome === 'changed' ? held.sessions : sessions;
    }, noSessions(start));

  it('keep their end in the first half of a lease, and get another in the second', () => {
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

  it('are no more than the limit, until one of them has ended', () => {
    const sessions = begun('phone', 'tablet', 'television');

    expect(sessions.slots.map(({ sessionId }) => sessionId)).toEqual(['phone', 'tablet']);
    expect(hold(sessions, 'television', { minutes: 1 }).outcome).toBe('full');
    expect(hold(sessions, 'television', { minutes: 5 })).toMatchObject({
      outcome: 'changed',
      sessions: { slots: [{ sessionId: 'television' }] },
    });
  });

  it('are taken over, and what was taken over does not come back for an hour', () => {
    const held = hold(begun('phone', 'tablet'), 'television', { takeOver: 'phone' });

    const sessions = held.outcome === 'changed' ? held.sessions : noSessions(start);
    expect(sessions.slots.map(({ sessionId }) => sessionId)).toEqual(['tablet', 'television']);
    expect(hold(sessions, 'phone', { minutes: 59 }).outcome).toBe('taken-over');
    expect(hold(sessions, 'phone', { minutes: 61 }).outcome).toBe('changed');
    // The page repeats the take-over, because the answer was lost.
    expect(hold(sessions, 'television', { takeOver: 'phone' }).outcome).toBe('kept');
  });

  it('move to another event with their tab, in the place that they have', () => {
    const held = hold(begun('phone', 'tablet'), 'phone', { eventId: 'semi-final', minutes: 1 });

    expect(held).toMatchObject({
      outcome: 'changed',
      sessions: {
        slots: [
          { sessionId: 'tablet', eventId: 'final' },
          { sessionId: 'phone', eventId: 'semi-final' },
        ],
      },
    });
  });

  it('are freed early three times in ten minutes, and then when the first of these is ten minutes ago', () => {
    let sessions = begun('a', 'b');
    for (const [index, id] of ['c', 'd', 'e'].entries()) {
      const held = hold(sessions, id, { takeOver: ['a', 'b', 'c'][index], minutes: index });
      if (held.outcome === 'changed') sessions = held.sessions;
    }

    const refused = hold(sessions, 'f', { takeOver: 'd', minutes: 4 });
    expect(refused).toEqual({ outcome: 'frees-used', retryAt: start + 10 * minute });
    const ended = endSlot(sessions, { sessionId: 'e', eventId: 'final', now: start + 4 * minute });
    expect(ended).toEqual({ outcome: 'frees-used', retryAt: start + 10 * minute });
  });

  it('never play more than the limit and the early frees, whatever devices do and in whatever order', () => {
    const devices = ['a', 'b', 'c', 'd', 'e', 'f'];
    const step = fc.record({
      seconds: fc.integer({ min: 0, max: 120 }),
      device: fc.constantFrom(...devices),
      event: fc.constantFrom('final', 'semi-final'),
      kind: fc.constantFrom('hold', 'hold', 'take over', 'end'),
      other: fc.constantFrom(...devices),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 3 }), (steps, most) => {
        let now = start;
        let sessions = noSessions(start);
        const signatures: { readonly key: string; readonly from: number; readonly endsAt: number }[] = [];
        for (const { seconds, device, event, kind, other } of steps) {
          now += seconds * 1_000;
          if (kind === 'end') {
            const ended = endSlot(sessions, { sessionId: device, eventId: event, now });
            if (ended.outcome === 'changed') sessions = ended.sessions;
            continue;
          }
          const held = holdSlot(sessions, {
            sessionId: device,
            eventId: event,
            takeOver: kind === 'take over' ? other : undefined,
            limit: most,
            now,
            endsAt: now + sessionMilliseconds,
            address: 'here',
          });
          if (held.outcome === 'changed') sessions = held.sessions;
          if (held.outcome === 'changed' || held.outcome === 'kept') {
            signatures.push({ key: `${device} ${event}`, from: now, endsAt: held.slot.endsAt });
          }
          expect(sessions.slots.filter(({ endsAt }) => endsAt > now).length).toBeLessThanOrEqual(most);
          const playing = new Set(signatures.filter(({ endsAt }) => endsAt > now).map(({ key }) => key));
          expect(playing.size).toBeLessThanOrEqual(most + 3);
        }
      }),
      { numRuns: 300 },
    );
  });
});
