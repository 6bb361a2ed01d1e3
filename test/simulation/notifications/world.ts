import { startReplayHandler } from '../../../functions/notifications/send-notifications/start-replay-handler.ts';
import { addressOf } from '../../../shared/notifications/endpoints/address.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { UserNotFoundError } from '../../../shared/users/errors.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { createPeople } from '../accounts/people.ts';
import { stillReadable } from '../accounts/readable.ts';
import { worldsOf } from '../frame.ts';
import { createStore } from '../store.ts';
import { between, oneOf } from '../streams.ts';
import { createInvariants, type Heard } from './invariants.ts';
import { createReceivers } from './receivers.ts';
import { createNotifications, environment, tables } from './service.ts';
import { createUsers, requestOf, tokenOf } from './users.ts';
import { createWorkload } from './workload.ts';

const minute = 60_000;

/** The key of the user data that an action sets. */
const keyOf = (id: number): string => `c${id}`;

interface AskedReplay {
  readonly applicationId: string;
  readonly key: string;
  /** Of the body, besides the time range. */
  readonly fields: object;
}

/** A world of users whose data changes, of applications that are notified of it, and of replays. */
export const runWorld = worldsOf('notifications', (frame) => {
  const { scheduler, streams, faults, history, startsAt, onViolation, isAsked, sleep } = frame;
  const surroundings = { scheduler, streams, history, faults };
  const shape = streams.of('world');
  const store = createStore(tables, { now: scheduler.now });
  const applications = [
    anApplication({ id: 'one', apiKeyIds: ['key-one'], clientIds: ['client-one'] }),
    anApplication({ id: 'two', apiKeyIds: ['key-two'], clientIds: ['client-two'], audience: 'linked' }),
  ];
  const later = anApplication({ id: 'three', apiKeyIds: ['key-three'], clientIds: ['client-three'] });
  for (const { version, ...application } of applications) {
    const { id } = application;
    const put = (Item: object) => store.put({ TableName: environment.APPLICATIONS_TABLE, Item: { ...Item } });
    put({ pk: `APPLICATION#${id}`, ...application, version });
    put({ pk: `API_KEY#key-${id}`, application_id: id });
    put({ pk: `CLIENT#client-${id}`, application_id: id });
  }
  const workload = createWorkload(streams);
  const invariants = createInvariants({
    store,
    now: scheduler.now,
    makerOf: (key) => workload.actions.find(({ id }) => key === keyOf(id))?.client,
    onViolation,
  });
  const people = createPeople({ store, now: scheduler.now, onViolation });
  const receivers = createReceivers({ ...surroundings, onPost: invariants.onPost });
  const service = createNotifications({
    ...surroundings,
    store,
    onAccepted: invariants.onAccepted,
    onEnded: invariants.onEnded,
    post: (destination, message) => receivers.post(destination, message),
  });
  const users = createUsers({ ...surroundings, service });
  for (const { id: applicationId } of [...applications, later]) {
    for (let index = 1; index <= between(shape, 1, 2); index += 1) {
      const endpointId = `endpoint-${index}`;
      const destination = `https://${applicationId}.example.com/${index}`;
      store.put({
        TableName: environment.ENDPOINTS_TABLE,
        Item: {
          application_id: applicationId,
          endpoint_id: endpointId,
          destination,
          is_enveloped: false,
          operation_types: ['data_update'],
          created_at: startsAt,
        },
      });
      service.topic.subscribe({
        destination,
        filter: {
          application_id: [applicationId, addressOf({ applicationId, endpointId })],
          operation_type: ['data_update', 'test'],
        },
      });
      receivers.add(destination, { applicationId, endpointId });
    }
  }

  /** Tries as a caller does that gets no answer. */
  const insist = async (task: string, call: (task: string) => Promise<unknown>): Promise<void> => {
    if (faults.strike('caller: asks twice', task)) void call(`${task} at once again`).catch(() => {});
    for (let tried = 1; tried <= 4; tried += 1) {
      try {
        await call(`${task}, try ${tried}`);
        return;
      } catch (error) {
        history.say('caller', `${task} fails: ${error instanceof Error ? error.message : error}`);
        if (error instanceof UserNotFoundError) return;
        await sleep(between(streams.of(task), 500, 5_000));
      }
    }
  };

  receivers.onTaken(async (heard: Heard, task: string) => {
    await insist(task, async (label) => {
      try {
        const body = { application_user_sub: heard.sub };
        const { status, body: read } = await users.read.invoke(label, (handler) =>
          handler(requestOf({ body, apiKeyId: `key-${heard.applicationId}` })),
        );
        invariants.onRead(heard, status, (read as { readonly user_data: Record<string, unknown> }).user_data);
      } catch (error) {
        if (!(error instanceof UserNotFoundError)) throw error;
        invariants.onRead(heard, 404, {});
      }
    });
  });

  const sendReplay = (label: string, { applicationId, key, fields }: AskedReplay) =>
    service.send.invoke(label, (dependencies) =>
      startReplayHandler(dependencies)(
        requestOf({
          body: {
            from: new Date(startsAt).toISOString(),
            to: new Date(startsAt + 60 * minute).toISOString(),
            ...fields,
          } as never,
          apiKeyId: `key-${applicationId}`,
          key,
        }),
      ),
    );
  /** The replay of each key, with how it was asked for. */
  const keptReplays = new Map<string, AskedReplay & { readonly id: string }>();
  const startReplay = (applicationId: string, key: string, fields: object): Promise<void> =>
    insist(key, async (label) => {
      const asked = { applicationId, key, fields };
      const { id } = (await sendReplay(label, asked)).body as { readonly id: string };
      const { id: before = id } = keptReplays.get(key) ?? {};
      if (id !== before) onViolation(`The key ${key} has the replays ${before} and ${id}`);
      keptReplays.set(key, { ...asked, id });
    });
  /** Asks for each replay once more, long after it has ended, and then for another with the same key. */
  const repeatReplays = async (): Promise<void> => {
    const before = invariants.accepted.length;
    for (const { id, ...asked } of [...keptReplays.values()]) {
      const { body, headers = {} } = await sendReplay(`${asked.key}, long after`, asked);
      const isKept = (body as { readonly id: string }).id === id && headers['idempotent-replayed'] === 'true';
      if (!isKept) onViolation(`The key ${asked.key} has another replay than ${id}`);
      const other = { ...asked, fields: { from: new Date(startsAt - minute).toISOString() } };
      const answer = await sendReplay(`${asked.key}, with another body`, other).then(
        () => 'an answer',
        (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
      );
      if (answer !== 'IDEMPOTENCY_KEY_REUSED')
        onViolation(`Another request with the key ${asked.key} gets ${answer}`);
    }
    await quiet();
    if (invariants.accepted.length > before) onViolation('Replays that are asked for again send messages');
  };

  for (const { id, kind, user, client, at } of workload.actions) {
    const task = `${kind} ${id}`;
    if (!isAsked(task)) continue;
    const authorization = tokenOf(user, `client-${client}`);
    scheduler.at(startsAt + at, () => {
      history.say('caller', `${task} of ${user} by ${client}`);
      switch (kind) {
        case 'change':
        case 'same change':
          void insist(task, (label) =>
            users.put.invoke(label, (handler) => {
              const data = kind === 'change' ? { [keyOf(id)]: `what ${user} said in ${task}.` } : {};
              return handler(requestOf({ body: { data }, authorization }));
            }),
          );
          return;
        case 'identify':
          void insist(task, (label) =>
            users.identify.invoke(label, (handler) => handler(requestOf({ body: undefined, authorization }))),
          );
          return;
        case 'remove':
          void insist(task, (label) => users.remove(label, user));
          return;
        case 'replay':
          void startReplay(
            client,
            task,
            oneOf<object>(streams.of(task), [{}, { status: 'failed' }, { endpoint_id: 'endpoint-1' }]),
          );
          return;
        case 'add application':
          void insist(task, (label) =>
            users.operator.invoke(label, (stage) => stage.applications.create(later)),
          );
      }
    });
  }

  const changeMoods = (): void => {
    receivers.changeMoods();
    scheduler.at(scheduler.now() + 10_000, changeMoods);
  };
  scheduler.at(startsAt, changeMoods);

  const quiet = async (): Promise<void> => {
    for (const since = scheduler.now(); service.unfinishedWork().length > 0; await sleep(1_000)) {
      if (scheduler.now() - since < 40 * minute) continue;
      return onViolation(`Nothing ends ${service.unfinishedWork().join('; ')}`);
    }
  };
  const replayFailed = async (name: string): Promise<readonly Heard[]> => {
    const before = invariants.accepted.length;
    for (const { id } of [...applications, later]) {
      if (
        store.get({ TableName: environment.APPLICATIONS_TABLE, Key: { pk: `API_KEY#key-${id}` } }).Item ===
        undefined
      )
        continue;
      await startReplay(id, `${name} of ${id}`, { status: 'failed' });
    }
    await quiet();
    return invariants.accepted.slice(before);
  };

  return {
    activeMilliseconds: workload.activeMilliseconds,
    recover: receivers.recover,
    comeToRest: async () => {
      await sleep(2 * minute);
      await quiet();
      await users.redrive('redrive');
      await sleep(2 * minute);
    },
    unfinished: service.unfinishedWork,
    checkAll: async () => {
      const destinationOf = (address: string) =>
        receivers.all().find((one) => addressOf(one) === address)?.destination ?? address;
      const missed = new Map(
        receivers.all().map(({ destination }) => [destination, invariants.missedByRecord(destination)]),
      );
      const replayed = await replayFailed('last replay');
      for (const { message, sub } of replayed) {
        const destination = destinationOf(message.attributes.application_id ?? '');
        if (missed.get(destination)?.includes(sub) !== true)
          onViolation(
            `A replay of what failed tells ${destination} of ${sub}, which it has or was told before`,
          );
        missed.set(
          destination,
          (missed.get(destination) ?? []).filter((one) => one !== sub),
        );
      }
      await sleep(2 * minute);
      await repeatReplays();
      const again = await replayFailed('replay after the last');
      if (again.length > 0) onViolation(`A second replay of what failed publishes ${again.length} messages`);
      await invariants.checkAll(service.topic.subscriptions());
      const stored = Object.fromEntries(Object.keys(tables).map((table) => [table, store.items(table)]));
      for (const what of people
        .all()
        .flatMap((one) => stillReadable(one, { ...people, tables: stored, contracts: [] })))
        onViolation(what);
    },
  };
});
