import type { Clock } from '../../platform/time/clock.ts';
import type { Chain } from '../ports/chain.ts';
import { type MetricEvents, nftEvents } from '../ports/metrics.ts';
import { type Pass, raiseOnce } from './pass-state.ts';

interface WatchFinalityDependencies {
  readonly chain: Pick<Chain, 'rotateEndpoint'>;
  readonly events: MetricEvents;
  readonly clock: Clock;
}

/**
 * Operators are told if no further block has become final for this long. On Polygon, blocks become final every few
 * seconds.
 */
const finalityPatienceMilliseconds = 30_000;

/**
 * If the final block has not changed for too long, tells operators and rotates to another endpoint, in case only the
 * current endpoint has stopped advancing.
 */
export const watchFinality = async (pass: Pass<WatchFinalityDependencies>, height: number): Promise<void> => {
  const now = pass.clock();
  if (pass.finality === undefined || height > pass.finality.height) {
    pass.finality = { height, since: now };
    return;
  }
  if (now - pass.finality.since < finalityPatienceMilliseconds) return;
  pass.finality = { ...pass.finality, since: now };
  raiseOnce(pass, nftEvents.finalityStalled, { height });
  await pass.chain.rotateEndpoint();
};
