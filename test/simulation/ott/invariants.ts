/** The promises about the streams that a viewer plays: docs/simulation.md lists them. */
import { handlerLifetimeMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import type { Item } from '../expressions.ts';
import type { Faults } from '../faults.ts';
import type { Store } from '../store.ts';
import { type Played, type Refused, sessionLeaseMilliseconds } from './pages.ts';
import { environment } from './service.ts';

interface StoredSlot {
  readonly session: string;
  readonly event_id: string;
  readonly application_ids: readonly string[];
  readonly ends_at: number;
}

interface InvariantsOptions {
  readonly store: Store;
  readonly faults: Faults;
  readonly now: () => number;
  readonly limits: ReadonlyMap<string, number>;
  readonly applicationOf: (client: string) => string;
  /** Whether several devices use this session. */
  readonly isShared: (session: string) => boolean;
  readonly onViolation: (what: string) => void;
}

/** The largest difference between a function's clock and the true time. */
const clockMilliseconds = 30_000;
/** How long a process may use what it has read: its cache time, plus the longest suspension of 90 seconds. */
const cacheMilliseconds = 30_000 + 90_000;
const freesAtMost = 3;
const freesMilliseconds = 10 * 60_000;

const slotsOf = (item: Item | undefined): readonly StoredSlot[] =>
  (item?.slots ?? []) as readonly StoredSlot[];

const freesOf = (item: Item | undefined): readonly number[] => (item?.freed_at ?? []) as readonly number[];

/** Pages of several users may have a session of the same name. */
const sessionOf = (user: string, session: string): string => `${user} ${session}`;

export const createInvariants = ({
  store,
  faults,
  now,
  limits,
  applicationOf,
  isShared,
  onViolation,
}: InvariantsOptions) => {
  const played = new Map<string, Played>();
  /** The sessions that were ended or taken over before their leases ended. */
  const freed = new Set<string>();
  const takenOver = new Set<string>();
  const freedAt = new Map<string, number[]>();
  const closed = new Map<string, number>();

  const skew = (): number =>
    faults.struck.some((fault) => fault.startsWith('process: clock apart')) ? clockMilliseconds : 0;

  store.watch(({ table, before, after }) => {
    if (table !== environment.SESSIONS_TABLE) return;
    const user = String((after ?? before)?.user_sub);
    const live = slotsOf(after).filter(({ ends_at }) => ends_at > now() + skew());
    for (const [applicationId, limit] of limits) {
      const counted = live.filter(({ application_ids }) => application_ids.includes(applicationId));
      if (counted.length > limit)
        onViolation(`${user} has ${counted.length} slots of ${limit} in ${applicationId}`);
    }
    for (const { session } of (after?.taken_over ?? []) as readonly StoredSlot[]) takenOver.add(session);
    const gone = slotsOf(before).filter(
      ({ session, ends_at }) =>
        ends_at > now() + skew() && !slotsOf(after).some((slot) => slot.session === session),
    );
    const frees = freedAt.get(user) ?? [];
    freedAt.set(user, frees);
    // A write may be executed late. The time that counts is when the write was decided, which the item contains.
    const decidedAt = freesOf(after).find((at) => !freesOf(before).includes(at)) ?? now();
    for (const { session } of gone) {
      freed.add(sessionOf(user, session));
      frees.push(decidedAt);
    }
    const lately = frees.filter((at) => at > now() - freesMilliseconds + 2 * skew());
    if (lately.length > freesAtMost) onViolation(`${user} freed ${lately.length} slots within ten minutes`);
    const refused = (before?.taken_over ?? []) as readonly {
      readonly session: string;
      readonly until: number;
    }[];
    for (const { session } of slotsOf(after)) {
      if (slotsOf(before).some((slot) => slot.session === session)) continue;
      // A session that begins again counts like any other.
      freed.delete(sessionOf(user, session));
      if (refused.some((one) => one.session === session && one.until > now() + skew()))
        onViolation(`${session} begins again within an hour after it was taken over`);
    }
  });

  return {
    /** From now on, no viewer may receive this event's stream through this client. */
    onClosed: (key: string, isCached: boolean): void => {
      closed.set(key, now() + (isCached ? cacheMilliseconds : 0));
    },
    onPlayed: (one: Played): void => {
      const { page, event, endsAt } = one;
      const { user, session, client } = page;
      if (endsAt > now() + sessionLeaseMilliseconds + skew())
        onViolation(`${session} plays until after its lease`);
      for (const key of [`${event}`, `client ${client}`]) {
        const at = closed.get(key);
        if (
          at === undefined ||
          endsAt <= at + sessionLeaseMilliseconds + handlerLifetimeMilliseconds + skew()
        )
          continue;
        onViolation(`Page ${page.id} plays ${event} long after it was closed`);
      }
      const slot = slotsOf(
        store.get({ TableName: environment.SESSIONS_TABLE, Key: { pk: `VIEWER#${user}` } }).Item,
      ).find((each) => each.session === session);
      const isFreed = freed.has(sessionOf(user, session));
      if (!isFreed && (slot === undefined || slot.ends_at < endsAt) && endsAt > now() + skew())
        onViolation(`Page ${page.id} plays until ${endsAt}, and its slot ends at ${slot?.ends_at}`);
      // Several devices that use one session have one slot.
      if (isShared(session)) return;
      played.set(session, one);
      for (const [applicationId, limit] of limits) {
        const screens = [...played.values()].filter(
          (each) =>
            each.page.user === user &&
            applicationOf(each.page.client) === applicationId &&
            each.endsAt > now() + skew() &&
            !freed.has(sessionOf(user, each.page.session)),
        );
        if (screens.length > limit)
          onViolation(`${user} plays ${screens.length} streams of ${limit} in ${applicationId}`);
      }
    },
    onRefused: ({ page, code, endsAt, isRenewal }: Refused): void => {
      const { user, session, id } = page;
      const isOwn = !isShared(session) && !freed.has(sessionOf(user, session)) && !takenOver.has(session);
      // A clock that is ahead ends the lease early.
      const hasLease = isRenewal && endsAt !== undefined && endsAt > now() + clockMilliseconds;
      if (isOwn && hasLease && ['TOO_MANY_STREAMS', 'SESSION_ENDED'].includes(code)) {
        onViolation(`Page ${id} renews on time and gets ${code}`);
      }
      if (code === 'SESSION_ENDED' && !isShared(session) && !takenOver.has(session)) {
        onViolation(`Page ${id} gets SESSION_ENDED, though nobody else has its session`);
      }
    },
  };
};
