import { worldsOfRequests } from '../world.ts';
import { joinHistories } from './join-histories.ts';
import { joinViewers } from './viewers.ts';
import { createReservationWorkload } from './workload.ts';

/**
 * Worlds in which tokens are reserved for users, who play with them, change their wallets and leave, and in which it is read
 * what happened to the tokens.
 */
export const runWorld = worldsOfRequests('reservations', createReservationWorkload, (world) => {
  const viewers = joinViewers(world);
  const histories = joinHistories(world);
  return {
    ...viewers,
    onDeed: histories.onAnswered,
    checkAll: async () => {
      await viewers.checkAll();
      await histories.checkAll();
    },
  };
});
