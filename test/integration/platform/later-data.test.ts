import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { changeApplication } from '../../../operator/stage/applications/change-application.ts';
import { configureApplication } from '../../../operator/stage/applications/configure-application.ts';
import type { CustomerKeys } from '../../../operator/stage/applications/customer-keys.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

describe('data that a later release has stored', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('about an endpoint does not hide the endpoint, and is logged once', async () => {
    const { Endpoints: tableName } = await createTables(database, ['Endpoints'], 'later-endpoints');
    const endpoints = dynamoDbEndpoints({ client: database.documents, tableName });
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const endpoint = {
      applicationId: 'club',
      destination: 'https://club.example.com/',
      isEnveloped: false,
      operationTypes: ['data_update'],
      createdAt: 1,
    } as const;
    await endpoints.save({ ...endpoint, id: 'known' });
    await endpoints.save({ ...endpoint, id: 'later' });
    await database.documents.update({
      TableName: tableName,
      Key: { application_id: 'club', endpoint_id: 'later' },
      UpdateExpression: 'SET operation_types = :types, later_attribute = :kept',
      ExpressionAttributeValues: { ':types': ['data_update', 'stream_update'], ':kept': 'kept' },
    });

    for (const found of [await endpoints.list(), await endpoints.ofApplication('club')]) {
      expect(found.map(({ id, operationTypes }) => [id, operationTypes])).toEqual([
        ['known', ['data_update']],
        ['later', ['data_update']],
      ]);
    }
    expect(told.mock.calls).toEqual([
      [
        'Stored by a later release',
        { code: 'LATER_DATA', kind: 'endpoint', id: 'later', unknown: ['stream_update'] },
      ],
    ]);
    await endpoints.noteSuccess({ applicationId: 'club', id: 'later', at: 2, publishedAt: 1 });
    const { Items = [] } = await database.documents.scan({ TableName: tableName });
    expect(Items.find(({ endpoint_id }) => endpoint_id === 'later')).toMatchObject({
      operation_types: ['data_update', 'stream_update'],
      later_attribute: 'kept',
    });
  });

  it('about an application is kept when its settings change, and is logged once', async () => {
    const { Applications: tableName } = await createTables(database, ['Applications'], 'later-applications');
    const applications = dynamoDbApplications({ client: database.documents, tableName });
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const { version, ...fields } = anApplication({ wallets: { origins: ['https://one.example.com'] } });
    const { id } = await applications.create(fields);
    const many = ['client-one', ...Array.from({ length: 20 }, (_, index) => `client-${index}`)];
    await applications.create({ ...fields, id: 'two', apiKeyIds: ['key-two'], clientIds: [] });
    await database.documents.update({
      TableName: tableName,
      Key: { pk: `APPLICATION#${id}` },
      UpdateExpression:
        'SET audience = :members, laterAttribute = :kept, ott.#n = :null, ott.later = :null, #l.#n = :kept, wallets.chains = :kept, clientIds = :many',
      ExpressionAttributeNames: { '#n': 'burns', '#l': 'limits' },
      ExpressionAttributeValues: { ':members': 'members', ':kept': 'kept', ':null': null, ':many': many },
    });
    const stored = async () =>
      (await database.documents.get({ TableName: tableName, Key: { pk: `APPLICATION#${id}` } })).Item;
    const before = await stored();

    const listed = await applications.list();
    expect(listed.map((each) => [each.id, each.audience])).toEqual([
      [id, 'later'],
      ['two', 'all'],
    ]);
    const found = [
      await applications.find(id),
      await applications.findByApiKeyId('key-one'),
      await applications.findByClientId('client-one'),
    ];
    expect(found).toEqual([listed[0], listed[0], listed[0]]);
    expect(told.mock.calls).toEqual([
      [
        'Stored by a later release',
        {
          code: 'LATER_DATA',
          kind: 'application',
          id,
          unknown: ['audience', 'laterAttribute', 'limits.burns', 'wallets.chains'],
        },
      ],
    ]);

    const keys = { putInTier: async () => {} } as unknown as CustomerKeys;
    const change = { name: 'Renamed', mintsPerDay: 5 };
    await changeApplication({ stage: 'test', applications, keys }, { id, change });
    await configureApplication({
      id,
      applications,
      configuration: { ott: { streams_at_once: null }, wallets: { origins: [] } },
    });
    await applications.assignSigner({ applicationId: id, from: undefined, to: 'signer-0' });

    expect(await stored()).toEqual({
      ...before,
      name: 'Renamed',
      limits: { ...before?.limits, mintsPerDay: 5 },
      wallets: { ...before?.wallets, origins: [] },
      signer: 'signer-0',
      version: version + 3,
    });
    await expect(
      changeApplication({ stage: 'test', applications, keys }, { id, change: { audience: 'linked' } }),
    ).rejects.toThrow(`The audience of ${id} was stored by a later release`);
    await expect(applications.create({ ...fields, id: 'three', audience: 'later' })).rejects.toThrow();
  });
});
