import { addressSchema } from '../../chain/hex.ts';
import type { Table } from '../../platform/store/client.ts';
import { ifMissing, type RestorableTable, startsWith } from '../../platform/store/restored-items.ts';
import type { Undecided } from '../restored/undecided.ts';
import { collecting, pendingNonces } from './restored-undecided.ts';

/** Restores contracts, and collects in `undecided` what is pending in them. */
export const restoredContracts = ({ tableName }: Table, undecided: Undecided): RestorableTable => ({
  keys: ['pk', 'sk'],
  kinds: [
    {
      name: 'contract',
      matches: startsWith('0x', 'sk'),
      decide: collecting(undecided, async (restored, live) => {
        const [applicationId, contract] = [String(restored.pk), addressSchema.parse(restored.sk)];
        const resources = pendingNonces(restored).map((nonce) => ({ applicationId, contract, nonce }));
        return { becomes: await ifMissing(tableName)(restored, live), undecided: { resources } };
      }),
    },
  ],
});
