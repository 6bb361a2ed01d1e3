import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

describe('what a later release has stored', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('of an endpoint hides no endpoint, and is told once', async () => {
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
    await endpoints.noteSuccess({ applicationId: 'club', id: 'later', at: 2 });
    const { Items = [] } = await database.documents.scan({ TableName: tableName });
    expect(Items.find(({ endpoint_id }) => endpoint_id === 'later')).toMatchObject({
      operation_types: ['data_update', 'stream_update'],
      later_attribute: 'kept',
    });
  });

  it('of an application stays when its settings change', async () => {
    const { Applications: tableName } = await createTables(database, ['Applications'], 'later-applications');
    const applications = dynamoDbApplications({ client: database.documents, tableName });
    const { version, ...fields } = anApplication();
    const { id } = await applications.create(fields);
    await database.documents.update({
      TableName: tableName,
      Key: { pk: `APPLICATION#${id}` },
      UpdateExpression: 'SET laterAttribute = :kept, ott.later = :kept',
      ExpressionAttributeValues: { ':kept': 'kept' },
    });

    const [read] = await applications.list();
    if (read === undefined) throw new Error('Not listed');
    await applications.save({ ...read, name: 'Renamed' });

    const { Item } = await database.documents.get({ TableName: tableName, Key: { pk: `APPLICATION#${id}` } });
    expect(Item).toMatchObject({
      name: 'Renamed',
      laterAttribute: 'kept',
      ott: { later: 'kept' },
      version: version + 1,
    });
  });
});
