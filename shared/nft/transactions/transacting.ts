import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import type { Events } from '../ports/events.ts';
import type { Signers } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import type { TransactionSettings } from './settings.ts';

/** What everything that signs and sends works with. */
export interface Transacting {
  readonly chain: Chain;
  readonly signer: Signer;
  readonly signers: Signers;
  readonly log: TransactionLog;
  readonly events: Events;
  readonly logger: Logger;
  readonly clock: Clock;
  /** A new random text, fit for an execution's name. */
  readonly randomId: () => string;
  readonly settings: TransactionSettings;
}
