/** What must be stored when all is quiet. */
import { historyAtMost } from '../../../shared/ott/store/history.ts';
import type { Store } from '../store.ts';
import { statusesIn, storedStatus } from './known-events.ts';
import type { Ledger } from './ledger.ts';
import { environment } from './service.ts';

const minute = 60_000;
const clockMilliseconds = 30_000;
const keptMilliseconds = 15_000;

export const checkStored = ({
  store,
  ledger,
  now,
  onViolation,
}: {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly now: number;
  readonly onViolation: (what: string) => void;
}): void => {
  const itemOf = (pk: string) => store.get({ TableName: environment.EVENTS_TABLE, Key: { pk } }).Item;
  for (const id of ledger.ids()) {
    const versions = ledger.of(id);
    const { event, stored } = ledger.last(id);
    if (event !== undefined) {
      // The function runs each minute, and clocks may differ.
      const span = { from: now - 2 * minute, to: now + clockMilliseconds };
      const statuses = statusesIn(event, span);
      if (stored === undefined || !statuses.has(storedStatus(stored)))
        onViolation(
          `${id} stays stored as ${stored && storedStatus(stored)}, and is ${[...statuses].join(' or ')}`,
        );
      const due = itemOf(`EVENT#${id}`)?.change_due;
      const isCancelled = (event.byHand?.status ?? event.status) === 'CANCELLED';
      const ahead = isCancelled
        ? []
        : event.schedule.filter(({ at }) => at > Math.max(now, event.byHand?.at ?? now)).map(({ at }) => at);
      const lately = event.schedule
        .filter(({ at }) => at > now - 3 * minute && at <= now)
        .map(({ at }) => at);
      const allowed = lately.length > 0 ? [...lately, ahead[0]] : [ahead[0]];
      const dueAt = due === undefined ? undefined : Date.parse(String(due));
      // The first write that stores the status of an entry keeps the event there for a moment.
      const isKept =
        event.schedule.some(({ at }) => at > now - 3 * minute && at <= now + clockMilliseconds) &&
        dueAt !== undefined &&
        dueAt > now - 3 * minute &&
        dueAt <= now + keptMilliseconds + clockMilliseconds;
      if (!isKept && !allowed.some((at) => dueAt === at))
        onViolation(`The index of changes has ${id} under ${due}, not under ${allowed.join(' or ')}`);
    }
    // What came back has the version of then, and so have the changes after it.
    const isWhole = !versions.some(({ isLost, isRestored }) => isLost || isRestored);
    for (const [place, version] of isWhole ? versions.entries() : []) {
      const before = versions[place - 1];
      if (before === undefined || before.stored?.title === version.stored?.title) continue;
      const slot = version.version % historyAtMost;
      const isReplaced = (later: number) => later !== version.version && later % historyAtMost === slot;
      if (versions.slice(place + 1).some((later) => isReplaced(later.version))) continue;
      const kept = itemOf(`HISTORY#${id}#${slot}`);
      const kind =
        before.stored === undefined ? 'created' : version.stored === undefined ? 'deleted' : 'changed';
      if (kept?.version !== version.version || kept.kind !== kind)
        onViolation(`The history of ${id} has no version ${version.version}, ${kind} by ${version.task}`);
    }
  }
};
