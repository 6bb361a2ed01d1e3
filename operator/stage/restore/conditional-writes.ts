import { isRefusal } from '../../../shared/platform/aws/service-error.ts';
import { ServiceUnavailableError } from '../../../shared/platform/errors.ts';
import {
  cancellationReasons,
  conditionHeld,
  isConflict,
  type Table,
} from '../../../shared/platform/store/client.ts';
import type { RestoringWrite } from '../../../shared/platform/store/restored-items.ts';

export type Writes = readonly [RestoringWrite, ...RestoringWrite[]];

/** DynamoDB allows 100 writes and 4 MB in one transaction. */
const writesAtMost = 50;
const bytesAtMost = 2_000_000;

/**
 * Groups that can each be written in one transaction. A transaction of many puts takes little longer than one put, and
 * is refused as a whole if one of them is.
 */
export const together = <Each extends { readonly writes: Writes }>(all: readonly Each[]): Each[][] => {
  const groups: Each[][] = [];
  let [writes, bytes] = [Infinity, 0];
  for (const each of all) {
    const size = Buffer.byteLength(JSON.stringify(each.writes));
    if (writes + each.writes.length > writesAtMost || bytes + size > bytesAtMost) {
      groups.push([]);
      [writes, bytes] = [0, 0];
    }
    groups.at(-1)?.push(each);
    writes += each.writes.length;
    bytes += size;
  }
  return groups;
};

/** Whether the conditions of all writes held. If one did not, nothing was written. */
export const written = async ({ client }: Table, [first, ...others]: Writes): Promise<boolean> => {
  const { Put, Update } = first;
  if (others.length === 0 && Put !== undefined)
    return patiently(client, () => conditionHeld(client.put(Put)));
  if (others.length === 0 && Update !== undefined) {
    return patiently(client, () => conditionHeld(client.update(Update)));
  }
  try {
    await patiently(client, () => client.transactWrite({ TransactItems: [first, ...others] }));
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
};

const isThrottled = (error: unknown): boolean =>
  isRefusal(
    error,
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
    'InternalServerError',
  ) ||
  error instanceof ServiceUnavailableError ||
  cancellationReasons(error)?.some(({ Code = '' }) => /Throttl|ThroughputExceeded/.test(Code)) === true;

/**
 * Repeats a call that DynamoDB throttles, as long as it takes: a new table takes more writes only after some minutes.
 */
export const patiently = async <Answer>(
  { pause }: Pick<Table['client'], 'pause'>,
  call: () => Promise<Answer>,
): Promise<Answer> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isThrottled(error)) throw error;
      await pause(tried, 5_000);
    }
  }
};
