import { joinViewers } from '../reservations/viewers.ts';
import { createReservationWorkload } from '../reservations/workload.ts';
import type { Streams } from '../streams.ts';
import { createWorkload } from '../workload.ts';
import { nobody, worldsOfRequests } from '../world.ts';

/** Whether tokens are also reserved for users in this world. */
const hasTickets = (streams: Streams): boolean => streams.of('has tickets')() < 0.33;

/** Worlds of transactions, and of reserved tokens, in which tables lose items, and the operator brings them back. */
export const runWorld = worldsOfRequests(
  'restores',
  (streams, applications) =>
    (hasTickets(streams) ? createReservationWorkload : createWorkload)(streams, applications),
  (world) => (hasTickets(world.streams) ? joinViewers : nobody)(world),
);
