import { createHash } from 'node:crypto';
import { BadRequestError } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { isSubscribed } from '../endpoints/endpoint.ts';
import { EndpointNotFoundError, ReplayKeyReusedError, TooManyReplaysError } from '../errors.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { EnqueueReplay, Replays } from '../ports/replays.ts';
import type { Replay, ReplayOrder } from './replay.ts';
import { openAtMost, replayPlaces } from './replay-places.ts';

export interface StartReplayDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly replays: Pick<Replays, 'find' | 'keep' | 'open' | 'opened' | 'close'>;
  readonly enqueue: EnqueueReplay;
  readonly clock: Clock;
  readonly randomId: () => string;
}

const isSameOrder = (one: Replay, other: ReplayOrder): boolean =>
  one.later === undefined &&
  one.from === other.from &&
  one.to === other.to &&
  one.status === other.status &&
  one.endpointId === other.endpointId;

const idOf = (applicationId: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([applicationId, key]))
    .digest('hex')
    .slice(0, 32);

/** @throws TooManyReplaysError when replays that have not ended occupy every slot. */
const takePlace = async (
  { replays, clock }: Pick<StartReplayDependencies, 'replays' | 'clock'>,
  replay: Pick<Replay, 'applicationId' | 'id' | 'startedAt'>,
): Promise<void> => {
  if (await replays.open(replay, openAtMost)) return;
  const taken = await replayPlaces({ replays, clock }, replay.applicationId);
  for (const { place, isLeft } of taken) if (isLeft) await replays.close(place);
  if (!(await replays.open(replay, openAtMost))) throw new TooManyReplaysError({ open: taken.length });
};

/**
 * Starts a replay. The same request with the same idempotency key returns the same replay, and queues its work again if
 * the replay has not ended, even if its endpoint was removed meanwhile.
 * @throws BadRequestError if the time range begins in the future, EndpointNotFoundError, ReplayKeyReusedError if a
 * different request used the key before, and TooManyReplaysError.
 */
export const startReplay = async (
  { endpoints, replays, enqueue, clock, randomId }: StartReplayDependencies,
  {
    order,
    key,
    onRepeated = () => {},
  }: {
    readonly order: ReplayOrder;
    readonly key?: string | undefined;
    /** Called if an earlier request with this key stored the replay. */
    readonly onRepeated?: () => void;
  },
): Promise<Replay> => {
  const { applicationId, endpointId } = order;
  if (order.from >= clock()) {
    throw new BadRequestError({ issues: [{ path: 'from', message: 'Must be in the past' }] });
  }
  const id = key === undefined ? randomId() : idOf(applicationId, key);
  const known = key === undefined ? undefined : await replays.find({ applicationId, id });
  if (known === undefined && endpointId !== undefined) {
    const own = await endpoints.ofApplication(applicationId);
    const isKnown = own.some((endpoint) => endpoint.id === endpointId && isSubscribed(endpoint));
    if (!isKnown) throw new EndpointNotFoundError();
  }
  const wanted: Replay = { ...order, id, startedAt: clock(), looked: 0, published: 0 };
  if (known === undefined) await takePlace({ replays, clock }, wanted);
  const replay = known ?? (await replays.keep(wanted));
  // A concurrent request with the same key stored the replay first and has a slot for it, so this request releases its
  // own slot.
  if (known === undefined && replay.startedAt !== wanted.startedAt) await replays.close(wanted);
  if (!isSameOrder(replay, order)) throw new ReplayKeyReusedError();
  if (known !== undefined || replay.startedAt !== wanted.startedAt) onRepeated();
  if (replay.endedAt !== undefined) return replay;
  try {
    await enqueue(replay);
  } catch (error) {
    // Queueing failed. If the caller sent an idempotency key, a retry with this key queues the work. Without a key, a
    // retry starts another replay, so this replay's slot is released now. If the release fails too, the slot is free
    // again after a day.
    if (key === undefined) await Promise.allSettled([replays.close(replay)]);
    throw error;
  }
  return replay;
};
