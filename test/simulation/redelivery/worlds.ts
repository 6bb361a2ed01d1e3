import { besideTraffic } from './beside-traffic.ts';
import { corners } from './corners.ts';
import { twentyDays } from './twenty-days.ts';

/** The worlds in which planted faults are looked for. Each returns what does not hold. */
export const worlds = {
  twentyDays: (seed: number) => twentyDays({ seed, changes: 300, days: 7, withFaults: true }),
  besideTraffic: (seed: number) => besideTraffic({ seed }),
  corners: (seed: number) => corners({ seed }),
};

export type WorldName = keyof typeof worlds;
