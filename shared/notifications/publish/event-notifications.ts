import { ottConfigurationOf } from '../../ott/configuration.ts';
import type { PresentEvent } from '../../ott/events/event.ts';
import { presentEventRecord } from '../../ott/events/event-record.ts';
import { rulesShow } from '../../ott/viewers/rules.ts';
import type { Application } from '../../platform/applications/application.ts';
import type { EventMessage, Notification } from '../messages/message.ts';

/** The fields of an event on which the rules of applications depend. */
export type SeenState = Pick<PresentEvent, 'status' | 'access' | 'categories' | 'hand'>;

/** How an event has changed, possibly in several steps. */
export interface ChangedEvent {
  readonly id: string;
  /** The states before the last one, oldest first. `undefined` while the event did not exist. */
  readonly before: readonly (SeenState | undefined)[];
  /** `undefined` if the event does not exist any more. */
  readonly now: SeenState | undefined;
  /** The time of the last change, in the format of `date-time.ts`. */
  readonly dateTime: string;
}

/** A write of an event. Its states have the statuses that were stored. */
export interface EventWrite {
  readonly id: string;
  /** `undefined` if the event did not exist. */
  readonly before: PresentEvent | undefined;
  /** `undefined` if the event was deleted. */
  readonly after: PresentEvent | undefined;
  /** In the format of `date-time.ts`. Of the changes of an event, the later one has the later time. */
  readonly dateTime: string;
}

/** Whether a value is given or set by hand is nothing that callers see. */
const seenOf = (event: PresentEvent): string => JSON.stringify(presentEventRecord(event));

/**
 * Whether something has changed that callers can see. The stored statuses are compared, not those that the schedule
 * gives: each write stores the status that is effective then, so applications are notified of an entry of a schedule
 * once, when its status is stored.
 */
export const isSeenChange = (before: PresentEvent | undefined, after: PresentEvent | undefined): boolean =>
  (before && seenOf(before)) !== (after && seenOf(after));

type Visible = (state: SeenState | undefined) => boolean;

const visibleTo = (application: Application): Visible => {
  const { rules } = ottConfigurationOf(application);
  return (state) => state !== undefined && rulesShow(rules, state);
};

const messageAbout = (
  { id, before, now, dateTime }: ChangedEvent,
  isVisible: Visible,
): EventMessage | undefined => {
  const about = { operationType: 'event_update', eventId: id, dateTime } as const;
  const [first] = before;
  if (now === undefined || !isVisible(now))
    return before.some(isVisible) ? { ...about, change: 'removed' } : undefined;
  const { status } = now;
  if (first === undefined || !isVisible(first)) return { ...about, change: 'created', status };
  return { ...about, change: first.status === status ? 'changed' : 'status', status };
};

/**
 * The notifications about a changed event: one for each application whose rules could show the event before or after.
 * Countries do not matter, because viewers of one application are in different countries.
 */
export const notificationsOfEvent = (
  changed: ChangedEvent,
  applications: readonly Application[],
): Notification[] =>
  applications.flatMap((application) => {
    const message = messageAbout(changed, visibleTo(application));
    return message === undefined ? [] : [{ applicationId: application.id, message }];
  });

/** The time of the last change. */
export const lastOf = (changed: readonly Pick<ChangedEvent, 'dateTime'>[]): string =>
  changed
    .map(({ dateTime }) => dateTime)
    .toSorted()
    .at(-1) ?? '';

/** One notification for each application whose rules could show any of the events, before or after. */
export const notificationsOfMany = (
  changed: readonly Pick<ChangedEvent, 'before' | 'now' | 'dateTime'>[],
  applications: readonly Application[],
): Notification[] => {
  const dateTime = lastOf(changed);
  // Most of thousands of events differ only in fields on which no rule depends, so the rules are applied once for each
  // combination of the others.
  const states = new Map(
    changed
      .flatMap(({ before, now }) => [...before, now])
      .flatMap((state) => (state === undefined ? [] : [[JSON.stringify(kindOf(state)), state] as const])),
  );
  return applications
    .filter((application) => [...states.values()].some(visibleTo(application)))
    .map(({ id: applicationId }) => ({
      applicationId,
      message: { operationType: 'event_update', change: 'many', dateTime },
    }));
};

/** One notification for each application whose rules could show some event. */
export const notificationsOfAny = (dateTime: string, applications: readonly Application[]): Notification[] =>
  applications
    .filter((application) => ottConfigurationOf(application).rules.some(({ enabled }) => enabled))
    .map(({ id: applicationId }) => ({
      applicationId,
      message: { operationType: 'event_update', change: 'many', dateTime },
    }));

export const kindOf = ({ status, access, categories }: SeenState): SeenState => ({
  status,
  access,
  categories,
});
