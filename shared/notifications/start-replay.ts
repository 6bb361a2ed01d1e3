import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { BadRequestError } from '../errors.ts';
import { EndpointNotFoundError, ReplayKeyReusedError } from './errors.ts';
import type { Endpoints } from './ports/endpoints.ts';
import type { EnqueueReplay, Replays } from './ports/replays.ts';
import type { Replay, ReplayOrder } from './replay.ts';

export interface StartReplayDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly replays: Pick<Replays, 'keep'>;
  readonly enqueue: EnqueueReplay;
  readonly clock: Clock;
  readonly randomId: () => string;
}

const isSameOrder = (one: ReplayOrder, other: ReplayOrder): boolean =>
  one.from === other.from &&
  one.to === other.to &&
  one.status === other.status &&
  one.endpointId === other.endpointId;

const idOf = (applicationId: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([applicationId, key]))
    .digest('hex')
    .slice(0, 32);

/**
 * Has notifications sent again. The same key answers the replay that it started; one whose worker was never told is
 * told of it then.
 *
 * @throws BadRequestError when nothing can have been published in its time, EndpointNotFoundError, and ReplayKeyReusedError when the key started another.
 */
export const startReplay = async (
  { endpoints, replays, enqueue, clock, randomId }: StartReplayDependencies,
  { order, key }: { readonly order: ReplayOrder; readonly key?: string | undefined },
): Promise<Replay> => {
  const { applicationId, endpointId } = order;
  if (order.from >= clock()) {
    throw new BadRequestError({ issues: [{ path: 'from', message: 'Must be in the past' }] });
  }
  if (endpointId !== undefined) {
    const own = await endpoints.ofApplication(applicationId);
    const isKnown = own.some(({ id, removedAt }) => id === endpointId && removedAt === undefined);
    if (!isKnown) throw new EndpointNotFoundError({ endpointId });
  }
  const id = key === undefined ? randomId() : idOf(applicationId, key);
  const replay = await replays.keep({ ...order, id, startedAt: clock(), looked: 0, published: 0 });
  if (!isSameOrder(replay, order)) throw new ReplayKeyReusedError();
  if (replay.endedAt === undefined) await enqueue(replay);
  return replay;
};
