import { subjectOf } from '../messages/message.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import type { Replays } from '../ports/replays.ts';
import { type NotificationRecord, recordLifetimeMilliseconds, statusOf } from '../record/record.ts';
import { pauseAfter } from './pace.ts';
import type { Replay } from './replay.ts';
import { type RepublishDependencies, republish } from './republish.ts';

export interface RunReplayDependencies extends RepublishDependencies {
  readonly records: Pick<NotificationRecords, 'list' | 'ofSubject' | 'markRedriven'>;
  readonly replays: Pick<Replays, 'find' | 'advance' | 'hold' | 'release' | 'close'>;
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/**
 * `unfinished`: `until` was reached. `waiting`: another worker holds the lease. `later`: only a later release knows the
 * whole order, so nothing was sent.
 */
export type ReplayOutcome = 'ended' | 'unfinished' | 'waiting' | 'later';

const recordsAtOnce = 20;
export const replayLeaseMilliseconds = 120_000;

/**
 * Excludes messages that were published after the replay was requested, such as the replay's own messages. Also
 * excludes times before the oldest record.
 */
const windowOf = ({ from, to, startedAt }: Replay) => ({
  from: Math.max(from, startedAt - recordLifetimeMilliseconds),
  to: Math.min(to, startedAt),
});

const isWanted = ({ status }: Replay, { message, deliveries }: NotificationRecord): boolean =>
  message.operationType !== 'test' && (status === undefined || statusOf(deliveries) === status);

const replayPage = async (
  dependencies: RunReplayDependencies,
  replay: Replay,
  {
    page,
    told,
    isTakenUp,
  }: {
    readonly page: readonly NotificationRecord[];
    readonly told: Set<string>;
    readonly isTakenUp: boolean;
  },
): Promise<number> => {
  const { applicationId, endpointId, status } = replay;
  let published = 0;
  for (const listed of page.filter((record) => isWanted(replay, record))) {
    const { id, message } = listed;
    if (told.has(subjectOf(message))) continue;
    told.add(subjectOf(message));
    const window = { ...windowOf(replay), applicationId, message };
    const ofSubject = await dependencies.records.ofSubject(window);
    const wanted = ofSubject.filter((record) => isWanted(replay, record));
    const [newest] = wanted;
    // Pages go from the newest message to the oldest. If this run continues an earlier run, and the subject has a newer
    // message than the listed one, that message was on an earlier page. The earlier run has published it, so the
    // subject is skipped. A newer message that was recorded too late for the earlier run is delivered as usual.
    if (newest !== undefined && newest.id !== id && isTakenUp) continue;
    // A publisher that was suspended may publish an older change after a newer one.
    const original = wanted.reduce(
      (one, other) => (other.message.dateTime > one.message.dateTime ? other : one),
      newest ?? listed,
    );
    published += await republish(dependencies, {
      applicationId,
      message: original.message,
      by: 'replay',
      original,
      endpointId,
      isFailingOnly: status === 'failed',
    });
  }
  return published;
};

const runPages = async (
  dependencies: RunReplayDependencies,
  found: Replay,
  { holder, until }: { readonly holder: string; readonly until: number },
): Promise<ReplayOutcome> => {
  const { records, replays, clock, wait } = dependencies;
  let replay = found;
  const told = new Set<string>();
  const isTakenUp = found.next !== undefined;
  while (replay.endedAt === undefined) {
    const now = clock();
    const { applicationId, status, next } = replay;
    const lease = { applicationId, holder, now, until: now + replayLeaseMilliseconds };
    if (now >= until) return 'unfinished';
    if (!(await replays.hold(lease))) return 'waiting';
    const page = await records.list({
      ...windowOf(replay),
      applicationId,
      status,
      limit: recordsAtOnce,
      after: next,
    });
    const published = await replayPage(dependencies, replay, { page: page.items, told, isTakenUp });
    const advanced: Replay = {
      ...replay,
      looked: replay.looked + page.items.length,
      published: replay.published + published,
      next: page.next,
      ...(page.next === undefined ? { endedAt: clock() } : {}),
    };
    await replays.advance(advanced, replay);
    replay = advanced;
    await wait(pauseAfter(published, clock() - now));
  }
  await replays.close(replay);
  return 'ended';
};

/**
 * Works on a replay until it has ended or `until` is reached. The newest message of each subject in the replay's time
 * range is published once. After a crash, another call continues after the last finished page, so at most one page is
 * sent twice.
 * @returns whether the replay has ended. If it has not, call this function again.
 */
export const runReplay = async (
  dependencies: RunReplayDependencies,
  {
    applicationId,
    id,
    holder,
    until,
  }: {
    readonly applicationId: string;
    readonly id: string;
    /** Distinguishes this worker from all others. */
    readonly holder: string;
    /** When to stop, in milliseconds since the epoch. */
    readonly until: number;
  },
): Promise<ReplayOutcome> => {
  const replay = await dependencies.replays.find({ applicationId, id });
  if (replay === undefined) return 'ended';
  if (replay.later !== undefined && replay.endedAt === undefined) return 'later';
  try {
    return await runPages(dependencies, replay, { holder, until });
  } finally {
    await dependencies.replays.release({ applicationId, holder });
  }
};
