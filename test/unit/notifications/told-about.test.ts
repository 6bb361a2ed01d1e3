import { expect, it } from 'vitest';
import type { Hash } from '../../../shared/chain/hex.ts';
import { decisionTime, type Entry } from '../../../shared/nft/transactions/entry.ts';
import {
  decisionOf,
  notificationsOfDecision,
} from '../../../shared/notifications/publish/decision-notifications.ts';
import { toldAbout } from '../../../shared/notifications/record/told-about.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import { createStore } from '../../simulation/store.ts';

const signedAt = Date.parse('2026-11-20T09:15:00Z');
const contract = '0x00000000000000000000000000000000000000cc';
const destination = '0x00000000000000000000000000000000000000aa';
const mint: Entry = {
  signer: '137#0x00000000000000000000000000000000000000aa',
  nonce: 3,
  purpose: {
    kind: 'mint',
    applicationId: 'one',
    contract,
    firstTokenId: '7',
    destinations: [destination, destination],
  },
  gas: 1n,
  attempts: [{ hash: '0x07', raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, signedAt }],
  status: 'pending',
  missingLooks: 0,
};

const aRecord = () => {
  const store = createStore({ Notifications: { keys: ['pk', 'sk'] } }, { now: () => signedAt + 9_000 });
  const records = dynamoDbNotificationRecords({ client: plainClient(store), tableName: 'Notifications' });
  /** Records what customers are told when the entry is decided so. */
  const tell = async (entry: Entry): Promise<void> => {
    const decision = decisionOf(entry);
    if (decision === undefined) throw new Error('Nobody is told of this');
    const sent = notificationsOfDecision(decision).map((notification, index) => ({
      ...notification,
      id: `message ${decision.decidedAt} ${index}`,
      publishedAt: decision.decidedAt + 10,
    }));
    expect(await records.recordSent(sent)).toEqual(sent.map(() => undefined));
  };
  return { records, tell };
};
const decided = (hash: Hash, decidedAt: number): Entry => ({
  ...mint,
  status: 'confirmed',
  minedHash: hash,
  decidedAt,
});

it('what customers were told of restored work is told again with its first time', async () => {
  const { records, tell } = aRecord();
  await tell(decided('0x07', signedAt + 4_321));

  const told = await toldAbout({ records }, mint);

  expect(told).toEqual([{ hash: '0x07', at: signedAt + 4_321 }]);
  const at = decisionTime({ ...mint, told }, '0x07', signedAt + 99_000);
  const again = decisionOf(decided('0x07', at));
  const first = decisionOf(decided('0x07', signedAt + 4_321));
  expect(again && notificationsOfDecision(again)).toEqual(first && notificationsOfDecision(first));
  expect(decisionTime({ ...mint, told }, '0x08', signedAt + 99_000)).toBe(signedAt + 99_000);
});

it('nothing was told of other tokens, before the work was signed, or of what nobody hears of', async () => {
  const { records, tell } = aRecord();
  const other = { ...mint.purpose, firstTokenId: '9' } as Entry['purpose'];
  await tell({ ...decided('0x07', signedAt + 4_321), purpose: other });
  await tell(decided('0x06', signedAt - 1_000));

  expect(await toldAbout({ records }, mint)).toEqual([]);
  expect(await toldAbout({ records }, { ...mint, purpose: { kind: 'noop' } })).toEqual([]);
});
