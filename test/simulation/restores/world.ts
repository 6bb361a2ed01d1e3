import { createWorkload } from '../workload.ts';
import { worldsOfRequests } from '../world.ts';

/** Worlds of transactions in which tables lose items, and the operator brings them back. */
export const runWorld = worldsOfRequests('restores', createWorkload);
