import { isDeepStrictEqual } from 'node:util';
import { ServiceUnavailableError } from '../../platform/errors.ts';
import { IdempotencyKeyInUseError, LogBusyError, TokenChangedMeanwhileError } from '../errors.ts';
import type { Line } from '../history/line.ts';
import type { Hold, Holds } from '../ports/holds.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Reservations, ReservedChange, ReservedChangeOutcome } from '../ports/reservations.ts';
import { takeHold } from '../submit/admit.ts';
import { handlerDeadline, holdingDeadline } from '../submit/deadlines.ts';
import { type GiveBackDependencies, releaseHold } from '../submit/give-back.ts';
import { writesAtMost } from '../submit/record-transaction.ts';
import { type WritePatientlyDependencies, writePatiently } from '../submit/write-patiently.ts';
import { isRevokedReservation } from '../tokens/gone.ts';
import type { Nft } from '../tokens/nft.ts';

export type ChangeReservedDependencies = WritePatientlyDependencies &
  Pick<GiveBackDependencies, 'logger'> & {
    readonly holds: Holds;
    readonly nfts: Pick<Nfts, 'findRange'>;
    readonly reservations: Pick<Reservations, 'change'>;
    readonly randomId: () => string;
  };

interface Order {
  readonly change: ReservedChange;
  /** The operation that makes the change. */
  readonly by?: string | undefined;
  readonly hold: Hold | undefined;
  /** When the request's handler started, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** What the history of the tokens tells of the change. */
const lineOf = (change: ReservedChange, { at, by }: Pick<Line, 'at' | 'by'>): Line => {
  const versions = change.tokens.map(({ version = 0 }) => version + 1);
  const [first, last] = [change.tokens.at(0), change.tokens.at(-1)];
  const [count] = versions;
  if (first === undefined || last === undefined || count === undefined) {
    throw new Error('A change must have a token');
  }
  const { contract, reservedFor } = first;
  const common = { contract, tokens: { from: first.tokenId, to: last.tokenId }, at, count, versions, by };
  switch (change.kind) {
    case 'assignment': {
      if (reservedFor === undefined) throw new Error('Only a reserved token can be given');
      return { ...common, what: 'given', given: { from: reservedFor, to: change.to.standIn } };
    }
    case 'revocation':
      return { ...common, what: 'revoked' };
    case 'metadata':
      return { ...common, what: 'updated' };
  }
};

/** Whether the token as it is now shows the effect of the change. */
const hasEffect = (change: ReservedChange, index: number, now: Nft): boolean => {
  switch (change.kind) {
    case 'assignment':
      return now.reservedFor === change.to.standIn;
    case 'revocation':
      return isRevokedReservation(now);
    case 'metadata':
      return isDeepStrictEqual(now.metadata, change.metadata[index]);
  }
};

/**
 * Determines the outcome of a write that got no response. Another request may have made the same change to the same
 * version. So with a key, only the key tells which request made it. The tokens are read first: if they show the change of
 * this request, its key is read with the result that the same write gave it.
 */
const readBack = async (
  { holds, nfts }: Pick<ChangeReservedDependencies, 'holds' | 'nfts'>,
  { change, hold }: Pick<Order, 'change' | 'hold'>,
): Promise<ReservedChangeOutcome | undefined> => {
  const [first] = change.tokens;
  const last = change.tokens.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const found = await nfts.findRange({ ...first, from: first.tokenId, to: last.tokenId });
  const key = hold === undefined ? undefined : await holds.find(hold.scope);
  const isWritten = change.tokens.every(({ version = 0 }, index) => {
    const now = found[index];
    return now?.version === version + 1 && hasEffect(change, index, now);
  });
  if (isWritten && (hold === undefined || key?.state === 'done')) return { outcome: 'recorded' };
  if (key?.state === 'done') return { outcome: 'key-done', result: key.result };
  if (hold !== undefined && key?.owner !== hold.owner) return { outcome: 'key-lost' };
  return change.tokens.every(({ version }, index) => found[index]?.version === version)
    ? undefined
    : { outcome: 'outdated' };
};

const write = async (
  dependencies: ChangeReservedDependencies,
  { change, by, hold, startedAt }: Order,
): Promise<'changed' | 'repeated'> => {
  const [first] = change.tokens;
  const { contract: address, tokenId } = first ?? { contract: '0x', tokenId: '' };
  const requestToken = dependencies.randomId();
  // DynamoDB recognizes the repeated write only if it is the same to the letter.
  const line = lineOf(change, { at: Math.floor(dependencies.clock()), by });
  const { result } = await writePatiently<ReservedChangeOutcome>(dependencies, {
    what: `a change of the reserved token ${tokenId}`,
    write: () => dependencies.reservations.change({ change, line, hold, requestToken }),
    readBack: () => readBack(dependencies, { change, hold }),
    writes: writesAtMost,
    deadline: handlerDeadline(startedAt),
  });
  switch (result.outcome) {
    case 'recorded':
      return 'changed';
    case 'key-done':
      return 'repeated';
    case 'key-lost':
      throw new IdempotencyKeyInUseError();
    case 'outdated':
      throw new TokenChangedMeanwhileError({ address, tokenId });
    case 'busy':
      throw new LogBusyError({ message: `The table of tokens was busy at every try: ${result.reason}` });
  }
};

/**
 * Changes reserved tokens, if nobody has changed them since they were read. No transaction is needed. `repeated`: an
 * earlier request with the same idempotency key made the change.
 * @throws TokenChangedMeanwhileError, RecordingUnknownError when it is unknown whether the change was made, and the
 * errors of `resultOf`.
 */
export const changeReserved = async (
  dependencies: ChangeReservedDependencies,
  order: Order,
): Promise<'changed' | 'repeated'> => {
  const { hold, startedAt } = order;
  if (dependencies.clock() >= holdingDeadline(startedAt)) {
    throw new ServiceUnavailableError({ message: 'Too little time is left to change the tokens' });
  }
  if (hold !== undefined && (await takeHold(dependencies, hold)) !== undefined) return 'repeated';
  try {
    return await write(dependencies, order);
  } catch (error) {
    // The hold is released even if the outcome is unknown: a write that is executed after the release fails, because
    // it requires the hold.
    await releaseHold(dependencies, hold);
    throw error;
  }
};
