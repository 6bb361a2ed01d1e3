/**
 * The promises about users, about what their applications are notified of, and about its record: docs/simulation.md
 * lists them.
 */
import { addressOf, parseAddress } from '../../../shared/notifications/endpoints/address.ts';
import { wireMessageSchema } from '../../../shared/notifications/messages/wire-message.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import type { Item } from '../expressions.ts';
import type { Written } from '../past.ts';
import { plainClient } from '../plain-client.ts';
import type { Store } from '../store.ts';
import { environment } from './service.ts';
import type { Accepted, Ended, Subscription } from './topic.ts';

interface Change {
  readonly registration: string;
  readonly changedAt: string;
  readonly at: number;
  readonly isRemoval: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** The applications that must be notified of it. */
  readonly concerned: readonly string[];
}

export interface Heard {
  readonly message: Accepted;
  readonly applicationId: string;
  readonly sub: string;
  readonly dateTime: string;
}

interface Delivered extends Heard {
  readonly destination: string;
  readonly at: number;
  readonly isDelivered: boolean;
  readonly isLogged: boolean;
}

export const heardOf = (message: Accepted): Heard => {
  const body = wireMessageSchema.parse(JSON.parse(message.body));
  const { applicationId } = parseAddress(message.attributes.application_id ?? '');
  return { message, applicationId, sub: body.application_user_sub, dateTime: body.date_time };
};

const dataOf = ({ user_data: data = '{}' }: Item): Readonly<Record<string, unknown>> =>
  JSON.parse(String(data));

export const createInvariants = ({
  store,
  now,
  makerOf,
  onViolation,
}: {
  readonly store: Store;
  readonly now: () => number;
  /** The application that sets a key of a user's data. */
  readonly makerOf: (key: string) => string | undefined;
  readonly onViolation: (what: string) => void;
}) => {
  const changes: Change[] = [];
  const accepted: Heard[] = [];
  const deliveries: Delivered[] = [];
  const records = dynamoDbNotificationRecords({
    client: plainClient(store),
    tableName: environment.NOTIFICATIONS_TABLE,
  });

  const itemOf = (TableName: string, pk: string, sk?: string): Item | undefined =>
    store.get({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }).Item;
  const identifierOf = (registration: string, applicationId: string): Item | undefined =>
    itemOf(environment.SUBS_TABLE, `REGISTRATION#${registration}`, `APPLICATION#${applicationId}`);
  const registrationOf = (sub: string, applicationId: string): Item | undefined =>
    itemOf(environment.SUBS_TABLE, `SUB#${sub}`, `APPLICATION#${applicationId}`);
  const isEnded = (registration: string): boolean =>
    changes.some((change) => change.registration === registration && change.isRemoval);

  const concernedBy = (registration: string, isRemoval: boolean): string[] =>
    store
      .items(environment.APPLICATIONS_TABLE)
      .filter(({ pk }) => String(pk).startsWith('APPLICATION#'))
      .flatMap(({ id, audience }) => {
        const identifier = identifierOf(registration, String(id));
        const isConcerned =
          audience === 'all' ? !isRemoval || identifier !== undefined : identifier?.is_linked === true;
        return isConcerned ? [String(id)] : [];
      });

  const onUser = ({ before, after }: Written): void => {
    if (after === undefined) return;
    const registration = String(after.registration_id);
    const isSame = before?.registration_id === registration;
    if (isSame && before.is_removed === true)
      onViolation(`A removed registration of ${after.user_sub} is back`);
    if (isSame && String(before.changed_at) >= String(after.changed_at)) {
      onViolation(`The time of a change of ${after.user_sub} is not later than the one before`);
    }
    const isRemoval = after.is_removed === true;
    const data = dataOf(after);
    // No caller removes a key.
    const lost = Object.keys(isSame && !isRemoval ? dataOf(before) : {}).filter((name) => !(name in data));
    if (lost.length > 0) onViolation(`A change of ${after.user_sub} removes ${lost.join(', ')}`);
    const makers = Object.keys(data)
      .filter((key) => !isSame || !(key in dataOf(before)))
      .flatMap((key) => makerOf(key) ?? []);
    changes.push({
      registration,
      changedAt: String(after.changed_at),
      at: now(),
      isRemoval,
      data,
      concerned: [...new Set([...concernedBy(registration, isRemoval), ...makers])],
    });
  };
  const onIdentifier = ({ before, after }: Written): void => {
    if (before !== undefined && after?.application_user_sub !== before.application_user_sub) {
      onViolation(`The identifier ${before.pk} ${before.sk} changed`);
    }
  };
  store.watch((written) => {
    if (written.table === environment.USERS_TABLE) onUser(written);
    if (written.table === environment.SUBS_TABLE) onIdentifier(written);
  });

  const checkHeard = (): void => {
    for (const { registration, changedAt, at, concerned } of changes) {
      for (const applicationId of concerned) {
        const sub = identifierOf(registration, applicationId)?.application_user_sub;
        // If a user was removed before an application got an identifier for the user, the application need not be
        // notified.
        if (sub === undefined && isEnded(registration)) continue;
        const isHeard = accepted.some(
          (one) =>
            one.applicationId === applicationId &&
            one.sub === sub &&
            one.dateTime >= changedAt &&
            one.message.at >= at,
        );
        if (!isHeard) onViolation(`${applicationId} does not hear of the change at ${changedAt}`);
      }
    }
  };

  const checkRecord = async (): Promise<void> => {
    for (const { message, applicationId, sub, dateTime } of accepted) {
      const found = await records.ofSubject({
        applicationId,
        message: { operationType: 'data_update', applicationUserSub: sub, dateTime },
      });
      const record = found.find(({ id }) => id === message.id);
      if (record === undefined) {
        onViolation(`Message ${message.id} is not recorded`);
        continue;
      }
      const logged = deliveries.filter((one) => one.message.id === message.id && one.isLogged);
      for (const { destination } of logged) {
        const isDelivered = logged.some((one) => one.destination === destination && one.isDelivered);
        const recorded = record.deliveries.find((one) => one.destination === destination);
        if (recorded?.isDelivered === isDelivered) continue;
        onViolation(
          `The delivery of ${message.id} to ${destination} is recorded as ${recorded?.isDelivered}`,
        );
      }
    }
  };

  /**
   * Checks that the state of each endpoint is the one after its newest delivery, in whatever order deliveries were
   * recorded.
   */
  const checkEndpoints = (): void => {
    for (const { destination, failing_since: failingSince } of store.items(environment.ENDPOINTS_TABLE)) {
      const logged = deliveries.filter((one) => one.destination === destination && one.isLogged);
      const newest = (isDelivered: boolean): number =>
        Math.max(0, ...logged.filter((one) => one.isDelivered === isDelivered).map(({ at }) => at));
      const [success, failure] = [newest(true), newest(false)];
      if (success !== failure && failure > success !== (failingSince !== undefined)) {
        onViolation(
          `${destination} ${failure > success ? 'fails, and is not shown as failing' : 'is shown as failing'}`,
        );
      }
    }
  };

  /**
   * The users about whom an endpoint has missed a message: SNS has logged that the delivery failed, and the endpoint
   * has accepted no message about the user that is as new.
   */
  const missedBy = (destination: string, knows: (one: Delivered) => boolean = () => true): string[] => {
    const own = deliveries.filter((one) => one.destination === destination);
    const hasGot = (failed: Delivered): boolean =>
      own.some(
        (one) => one.isDelivered && knows(one) && one.sub === failed.sub && one.dateTime >= failed.dateTime,
      );
    return [
      ...new Set(own.filter((one) => !one.isDelivered && one.isLogged && !hasGot(one)).map(({ sub }) => sub)),
    ];
  };

  return {
    accepted,
    onAccepted: (message: Accepted): void => {
      const heard = heardOf(message);
      const { applicationId, sub, dateTime } = heard;
      accepted.push(heard);
      const registration = registrationOf(sub, applicationId);
      if (registration === undefined) {
        onViolation(`${applicationId} hears of ${sub}, which is not its own`);
        return;
      }
      const id = String(registration.registration_id);
      const change = changes.find((one) => one.registration === id && one.changedAt === dateTime);
      if (change === undefined) {
        onViolation(`${applicationId} hears of a change at ${dateTime} that is not there`);
        return;
      }
      const audience = itemOf(environment.APPLICATIONS_TABLE, `APPLICATION#${applicationId}`)?.audience;
      if (audience === 'linked' && identifierOf(id, applicationId)?.is_linked !== true) {
        onViolation(`${applicationId} hears of a user who is not linked to it`);
      }
    },
    onEnded: ({ message, destination, isDelivered }: Ended, isLogged: boolean): void => {
      deliveries.push({ ...heardOf(message), destination, isDelivered, isLogged, at: now() });
    },
    /** Checks that SNS sends an endpoint only the messages that its subscription asks for. */
    onPost: (message: Accepted, { applicationId, endpointId }: Parameters<typeof addressOf>[0]): void => {
      const wanted = [applicationId, addressOf({ applicationId, endpointId })];
      const address = message.attributes.application_id ?? '';
      if (!wanted.includes(address)) onViolation(`${applicationId} gets a message for ${address}`);
    },
    /** The response when an application reads a user after a message, with the HTTP status. */
    onRead: (
      { applicationId, sub, dateTime }: Heard,
      status: number,
      data: Readonly<Record<string, unknown>>,
    ): void => {
      const id = String(registrationOf(sub, applicationId)?.registration_id);
      if (status === 404) {
        if (!isEnded(id)) onViolation(`${applicationId} is told of ${sub} and does not find it`);
        return;
      }
      const announced = changes.find((one) => one.registration === id && one.changedAt === dateTime);
      if (announced?.isRemoval === true)
        onViolation(`${applicationId} reads ${sub}, whose removal it was told`);
      const missing = Object.keys(announced?.data ?? {}).filter((name) => !(name in data));
      if (missing.length > 0) onViolation(`${applicationId} reads ${sub} without ${missing.join(', ')}`);
    },
    /** What an endpoint has missed according to the recorded deliveries. */
    missedByRecord: (destination: string): string[] => missedBy(destination, ({ isLogged }) => isLogged),
    /** When all is quiet, after a replay of what failed. */
    checkAll: async (subscriptions: readonly Subscription[]): Promise<void> => {
      checkHeard();
      await checkRecord();
      checkEndpoints();
      for (const { destination } of subscriptions) {
        const missed = missedBy(destination);
        if (missed.length > 0) onViolation(`${destination} still misses ${missed.join(', ')} after a replay`);
      }
    },
  };
};
