import { worldsOfRequests } from '../world.ts';
import { joinViewers } from './viewers.ts';
import { createReservationWorkload } from './workload.ts';

/** Worlds in which tokens are reserved for users, who play with them, change their wallets and leave. */
export const runWorld = worldsOfRequests('reservations', createReservationWorkload, joinViewers);
