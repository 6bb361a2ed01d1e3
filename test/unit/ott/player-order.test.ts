import { expect, it } from 'vitest';

interface Listed {
  readonly event_id: string;
  readonly status: string;
  readonly starts_at: string;
}
const script: string = '../../../local/player/order.js';
const { inOrder }: { inOrder: (events: readonly Listed[], now: number) => Listed[] } = await import(
  /* @vite-ignore */ script
);

it('the player lists what is LIVE first, then what begins next, then what is past', () => {
  const now = Date.parse('2026-11-28T18:00:00Z');
  const listed = [
    ['far', 'UPCOMING', '2099-01-01T00:00:00Z'],
    ['replay-to-come', 'VOD', '2026-11-30T00:00:00Z'],
    ['called-off', 'CANCELLED', '2026-12-01T00:00:00Z'],
    ['tomorrow', 'UPCOMING', '2026-11-29T18:00:00Z'],
    ['live', 'LIVE', '2026-11-28T17:00:00Z'],
    ['late-kick-off', 'UPCOMING', '2026-11-28T17:45:00Z'],
    ['just-live', 'LIVE', '2026-11-28T17:59:00Z'],
    ['over', 'FINISHED', '2026-11-27T17:00:00Z'],
    ['replay', 'VOD', '2026-11-28T12:00:00Z'],
  ].map(([event_id = '', status = '', starts_at = '']) => ({ event_id, status, starts_at }));

  const ids = inOrder(listed, now).map(({ event_id }) => event_id);

  expect(ids).toEqual([
    ...['just-live', 'live'],
    ...['late-kick-off', 'tomorrow', 'replay-to-come', 'far'],
    ...['called-off', 'replay', 'over'],
  ]);
});
