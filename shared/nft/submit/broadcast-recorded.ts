import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Entry } from '../entry.ts';
import type { Chain } from '../ports/chain.ts';
import type { SignerState } from '../ports/signers.ts';
import { isInFlight } from '../transactions/nonce.ts';
import { sendingDeadline, type TransactionSettings } from '../transactions/settings.ts';

export interface BroadcastRecordedDependencies {
  readonly chain: Pick<Chain, 'broadcast'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Pick<TransactionSettings, 'inFlightCap'>;
}

/** Sends what was recorded, if the signer's flight and the handler's time allow; else the waiter does. */
export const broadcastRecorded = async (
  { chain, clock, logger, settings }: BroadcastRecordedDependencies,
  {
    entry,
    state,
    startedAt,
  }: { readonly entry: Entry; readonly state: SignerState; readonly startedAt: number },
): Promise<void> => {
  const { nonce } = entry;
  if (!isInFlight({ nonce, minedCount: state.minedCount, cap: settings.inFlightCap })) return;
  if (clock() >= sendingDeadline(startedAt)) return;
  for (const { raw } of entry.attempts) {
    const { outcome, detail } = await chain.broadcast(raw);
    if (outcome !== 'accepted' && outcome !== 'already-known') {
      logger.warn('The waiter sends it again', { nonce, outcome, detail });
    }
  }
};
