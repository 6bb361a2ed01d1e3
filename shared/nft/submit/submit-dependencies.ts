import type { Claims } from '../ports/claims.ts';
import type { Signers } from '../ports/signers.ts';
import type { KeyRing } from '../transactions/key-ring.ts';
import type { AdmitDependencies } from './admit.ts';
import type { BroadcastRecordedDependencies } from './broadcast-recorded.ts';
import type { RecordDependencies } from './record-transaction.ts';
import type { ReserveDependencies } from './reserve.ts';

/** What every request that becomes a transaction needs: its steps' dependencies. */
export type SubmitDependencies = AdmitDependencies &
  ReserveDependencies &
  RecordDependencies &
  BroadcastRecordedDependencies & {
    readonly claims: Claims;
    readonly keys: KeyRing;
    readonly signers: Pick<Signers, 'find'>;
  };
