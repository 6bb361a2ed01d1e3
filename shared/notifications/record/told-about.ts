import { type Entry, firstSignedAt, type Told } from '../../nft/transactions/entry.ts';
import { millisecondsOf } from '../../platform/time/date-time.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import { decisionAbout, isTold, notificationsOfDecision } from '../publish/decision-notifications.ts';

/**
 * The outcomes that customers were told about the work of a transaction since it was signed, oldest first. Of a batch,
 * the record of the first token tells them.
 */
export const toldAbout = async (
  { records }: { readonly records: Pick<NotificationRecords, 'ofSubject'> },
  entry: Entry,
): Promise<readonly Told[]> => {
  const { purpose } = entry;
  if (!isTold(purpose)) return [];
  const signedAt = firstSignedAt(entry);
  const [first] = notificationsOfDecision(
    decisionAbout({ purpose, status: 'confirmed', transactionHash: '', decidedAt: signedAt }),
  );
  if (first === undefined) return [];
  const sent = await records.ofSubject({ ...first, from: signedAt });
  return sent
    .flatMap(({ message }) =>
      'transactionHash' in message && message.transactionHash !== undefined
        ? [{ hash: message.transactionHash, at: millisecondsOf(message.dateTime) } as Told]
        : [],
    )
    .toSorted((a, b) => a.at - b.at);
};
