/** What must hold of the messages about events: who hears of what, and how often. */
import { orderedTime } from '../../../shared/platform/time/date-time.ts';
import type { EventStatus } from '../../support/ott/oracle.ts';
import type { Accepted } from '../notifications/topic.ts';
import { type StoredRecord, storedStatus } from './known-events.ts';
import type { Ledger, Version } from './ledger.ts';

export interface Hearing {
  readonly applicationId: string;
  /** The statuses of the events that its rules show. */
  readonly shown: readonly EventStatus[];
  /** Whether it has an endpoint that is subscribed. */
  readonly isSubscribed: boolean;
}

interface Message {
  readonly change: string;
  readonly event_id?: string;
  readonly status?: string;
  readonly date_time: string;
}

interface Heard extends Message {
  readonly applicationId: string;
  readonly at: number;
  /** The place of the change among the versions of the event. */
  readonly place: number;
}

const seenOf = (record: StoredRecord | undefined): string =>
  JSON.stringify(
    record && { ...record, status: storedStatus(record), hand: undefined, present_status: undefined },
  ) ?? '';

const timeOf = ({ at, version }: Version): string =>
  orderedTime({ seconds: Math.floor(at / 1_000), order: version });

interface ToldOptions {
  readonly ledger: Ledger;
  readonly hearing: readonly Hearing[];
  readonly now: () => number;
  /** Whether a process may have died, or been tried again, between a message and its checkpoint. */
  readonly mayRepeat: () => boolean;
  readonly onViolation: (what: string) => void;
}

export const createTold = ({ ledger, hearing, now, mayRepeat, onViolation }: ToldOptions) => {
  const heard: Heard[] = [];
  const isShown = ({ shown }: Hearing, record: StoredRecord | undefined): boolean =>
    record !== undefined && shown.includes(storedStatus(record));

  const checkMessage = (to: Hearing, message: Message): number => {
    const { event_id: id = '', change, status } = message;
    const versions = ledger.of(id);
    const place = versions.findIndex(
      (version) => version.version > 0 && timeOf(version) === message.date_time,
    );
    const version = versions[place];
    const what = `${to.applicationId} hears “${change}” of ${id}`;
    if (version === undefined) {
      onViolation(`${what} at ${message.date_time}, when nothing has changed`);
      return -1;
    }
    const isSeen = isShown(to, version.stored);
    const as = version.stored && storedStatus(version.stored);
    if (isSeen ? status !== as : change !== 'removed')
      onViolation(`${what} with ${status}, and it is stored as ${as}`);
    const earlier = heard.filter((one) => one.applicationId === to.applicationId && one.event_id === id);
    // A batch that comes again may begin earlier than what was told meanwhile.
    const told = mayRepeat()
      ? 0
      : Math.max(0, ...earlier.map((one) => one.place).filter((one) => one < place));
    if (!isSeen && !versions.slice(told, place).some(({ stored }) => isShown(to, stored)))
      onViolation(`${what}, which it could not see`);
    if (
      !versions
        .slice(told, place)
        .some(({ stored }, index) => seenOf(stored) !== seenOf(versions[told + index + 1]?.stored))
    )
      onViolation(`${what}, and nothing that anybody sees has changed`);
    if (earlier.some((one) => one.date_time === message.date_time) && !mayRepeat())
      onViolation(`${what} twice`);
    return place;
  };

  return {
    onAccepted: ({ body, attributes, by }: Accepted): void => {
      const applicationId = attributes.application_id ?? '';
      const message: Message = JSON.parse(body);
      const to = hearing.find((one) => one.applicationId === applicationId);
      if (to?.isSubscribed !== true) {
        onViolation(`${applicationId} hears of events, which it has not asked for`);
        return;
      }
      // A redrive tells what the event is by now.
      const isRedriven = by.name.startsWith('operator');
      const place =
        message.change === 'many'
          ? -1
          : isRedriven
            ? ledger.of(message.event_id ?? '').length - 1
            : checkMessage(to, message);
      heard.push({ ...message, applicationId, at: now(), place });
    },
    /** When all is quiet: each change was told to whoever could see it. */
    checkAll: (): void => {
      for (const id of ledger.ids()) {
        const versions = ledger.of(id);
        for (const to of hearing.filter(({ isSubscribed }) => isSubscribed)) {
          const own = heard.filter((one) => one.applicationId === to.applicationId);
          for (const [place, { at, stored, isLost }] of versions.entries()) {
            const before = versions[place - 1]?.stored;
            if (isLost || place === 0 || seenOf(before) === seenOf(stored)) continue;
            if (!isShown(to, before) && !isShown(to, stored)) continue;
            const isTold = own.some((one) =>
              one.change === 'many' ? one.at >= at : one.event_id === id && one.place >= place,
            );
            // What was put aside is told as the event is by then, and of a lost one nothing is known.
            const wasLost = mayRepeat() && versions.slice(place).some((later) => later.isLost);
            if (!isTold && !wasLost)
              onViolation(`${to.applicationId} has not heard of version ${place} of ${id}`);
          }
        }
      }
    },
  };
};
