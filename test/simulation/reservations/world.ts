import { worldsOfRequests } from '../world.ts';
import { createReservationWorkload } from './workload.ts';

/** Worlds in which tokens are reserved for users, who change their wallets and leave. */
export const runWorld = worldsOfRequests('reservations', createReservationWorkload);
