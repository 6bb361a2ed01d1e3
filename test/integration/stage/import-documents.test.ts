import { APIGatewayClient, GetRestApisCommand, ImportRestApiCommand } from '@aws-sdk/client-api-gateway';
import { startAwsEndpoint, type TestEndpoint } from 'template-runtime/testing/aws-endpoint.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageNamed, stageNames } from '../../../config/stages.ts';
import { type ApiDocument, apiDocuments } from '../../../operator/stage/preflight/api-documents.ts';
import { importDocuments } from '../../../operator/stage/preflight/import-documents.ts';

let endpoint: TestEndpoint;
let client: APIGatewayClient;
beforeAll(async () => {
  endpoint = await startAwsEndpoint();
  client = new APIGatewayClient(endpoint.client);
});
afterAll(() => endpoint.stop());

const account = { accountId: '123456789012', region: 'eu-central-1' };
const namesLeft = async () => (await client.send(new GetRestApisCommand())).items?.map(({ name }) => name);

describe('the documents of the APIs, which preflight imports into an API without a stage', () => {
  it.each(stageNames.filter((name) => name !== 'local'))('are accepted for %s', async (stage) => {
    const documents = await apiDocuments(stageNamed(stage), account);

    expect(await importDocuments(client, documents)).toEqual([
      { name: `marquee-${stage}-base` },
      { name: `marquee-${stage}-b2b` },
      { name: `marquee-${stage}-profile` },
    ]);
    expect(await namesLeft()).toEqual([]);
  });

  it('are refused with the reason of API Gateway, and nothing is left', async () => {
    const [base, b2b, profile] = (await apiDocuments(stageNamed('prod'), account)) as [
      ApiDocument,
      ApiDocument,
      ApiDocument,
    ];
    const broken = { ...b2b, body: { ...b2b.body, openapi: '3.1.0' } };

    expect(await importDocuments(client, [base, broken, profile])).toEqual([
      { name: 'marquee-prod-base' },
      { name: 'marquee-prod-b2b', refused: expect.stringContaining('OpenAPI') },
      { name: 'marquee-prod-profile' },
    ]);
    expect(await importDocuments(client, [broken])).toEqual([
      { name: 'marquee-prod-b2b', refused: expect.stringContaining('OpenAPI') },
    ]);
    expect(await namesLeft()).toEqual([]);
  });

  it('are imported after an interrupted run has left its API', async () => {
    const [document] = await apiDocuments(stageNamed('prod'), account);
    const left = { ...document?.body, info: { title: 'marquee-preflight', version: '1' } };
    await client.send(
      new ImportRestApiCommand({
        body: Buffer.from(JSON.stringify(left)),
        failOnWarnings: true,
        parameters: { endpointConfigurationTypes: 'REGIONAL' },
      }),
    );

    await importDocuments(client, []);

    expect(await namesLeft()).toEqual([]);
  });
});
