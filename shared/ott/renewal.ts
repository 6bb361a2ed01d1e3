/**
 * Each page requests its stream again at a random time between these fractions of a signature's or lease's life. So
 * viewers who began at the same time do not all renew at the same time, and a page has time to try again.
 */
const earliestRenewal = 0.55;
const latestRenewal = 0.8;
export const renewalShare = (earliestRenewal + latestRenewal) / 2;

/** `random` is from 0 to 1. */
export const shareBeforeRenewal = (random: () => number): number =>
  earliestRenewal + (latestRenewal - earliestRenewal) * random();
