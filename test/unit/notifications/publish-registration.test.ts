import { describe, expect, it } from 'vitest';
import { publishChangesHandler } from '../../../functions/notifications/publish-changes/handler.ts';
import { changeInRecord } from '../../../shared/notifications/store/stream-records.ts';
import { isOutage } from '../../../shared/platform/outage.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { dynamoDbApplicationUserSubs } from '../../../shared/users/store/application-user-subs.ts';
import { createStore } from '../../simulation/store.ts';
import { overlappingClient } from '../../support/platform/overlapping-transactions.ts';
import { aChangeRecord, anApplication } from '../../support/users/users.ts';

const tableName = 'ApplicationUserSubs';
const applications = Array.from({ length: 100 }, (_, index) => anApplication({ id: `application-${index}` }));
const registration = { registrationId: 'registration-1', userSub: 'ana' };

const aDatabase = () => {
  const store = createStore({ [tableName]: { keys: ['pk', 'sk'] } }, { now: () => 0 });
  return overlappingClient(store);
};

const publishRegistration = async (client: DocumentClient) => {
  const published: string[] = [];
  const putAside: unknown[] = [];
  const { batchItemFailures } = await publishChangesHandler({
    applications: { list: async () => applications },
    changeIn: changeInRecord({ subs: dynamoDbApplicationUserSubs({ client, tableName }) }),
    endpoints: { ofApplication: async () => [] },
    topic: {
      publish: async (notifications) =>
        notifications.map(({ applicationId }) => {
          published.push(applicationId);
          return { isPublished: true, messageId: 'm' };
        }),
    },
    failedChanges: { keep: async (failed) => void putAside.push(failed) },
    isOutage,
    pause: client.pause,
    logger: { error: () => {}, warn: () => {} },
  })({ Records: [aChangeRecord({ ...registration, eventName: 'INSERT' })] });
  return { published, putAside, again: batchItemFailures.length };
};

describe('a new registration, where transactions of the same item cancel each other', () => {
  it('is told to a hundred applications', async () => {
    const { client } = aDatabase();

    const { published, putAside, again } = await publishRegistration(client);

    expect({ putAside, again }).toEqual({ putAside: [], again: 0 });
    expect(published.toSorted()).toEqual(applications.map(({ id }) => id).toSorted());
  });

  it('is told to a hundred applications although the user opens ten of them at the same moment', async () => {
    const { client, conflicts } = aDatabase();
    const subs = dynamoDbApplicationUserSubs({ client, tableName });

    const [{ published, putAside, again }, ...opened] = await Promise.all([
      publishRegistration(client),
      ...applications
        .slice(0, 10)
        .map(({ id }) => subs.ensure({ ...registration, applicationId: id, link: true })),
    ]);

    expect(conflicts()).toBeGreaterThan(0);
    expect({ putAside, again }).toEqual({ putAside: [], again: 0 });
    expect(published).toHaveLength(100);
    const made = await subs.ofRegistration(registration.registrationId);
    expect(opened).toEqual(applications.slice(0, 10).map(({ id }) => made.get(id)));
    expect(opened.every((sub) => sub?.isLinked)).toBe(true);
  });

  it('comes again later, and is not put aside, while another transaction does not end', async () => {
    const { client, hold } = aDatabase();
    hold({ table: tableName, pk: `ENDED#${registration.registrationId}`, sk: 'ENDED' });

    expect(await publishRegistration(client)).toEqual({ published: [], putAside: [], again: 1 });
  });
});
