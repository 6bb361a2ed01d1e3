import {
  type APIGatewayClient,
  BadRequestException,
  DeleteRestApiCommand,
  ImportRestApiCommand,
  PutRestApiCommand,
  paginateGetRestApis,
} from '@aws-sdk/client-api-gateway';
import type { ApiDocument } from './api-documents.ts';

/** What API Gateway says of a document. `refused` is absent if it imports the document without a warning. */
export interface Imported {
  readonly name: string;
  readonly refused?: string;
}

/** The name of the API that exists only while `preflight` runs. A stage's APIs have names of another form. */
const throwAwayName = 'marquee-preflight';

const bytesOf = (body: object): Uint8Array =>
  Buffer.from(JSON.stringify({ ...body, info: { title: throwAwayName, version: '1' } }));

/** Deletes what an interrupted run has left. */
const deleteLeftovers = async (client: APIGatewayClient): Promise<void> => {
  for await (const { items = [] } of paginateGetRestApis({ client }, { limit: 500 })) {
    for (const { id, name } of items) {
      if (name === throwAwayName) await client.send(new DeleteRestApiCommand({ restApiId: id }));
    }
  }
};

/** @throws what the call throws, except that API Gateway refuses the document. */
const refusalOf = async (call: () => Promise<unknown>): Promise<{ readonly refused?: string }> => {
  try {
    await call();
    return {};
  } catch (error) {
    if (error instanceof BadRequestException) return { refused: error.message };
    throw error;
  }
};

/**
 * Imports the documents one after the other into one API that has no stage, with warnings as errors, and deletes the
 * API. API Gateway allows one deletion of an API in 30 seconds, so not each document gets an API of its own.
 */
export const importDocuments = async (
  client: APIGatewayClient,
  documents: readonly ApiDocument[],
): Promise<readonly Imported[]> => {
  await deleteLeftovers(client);
  let restApiId: string | undefined;
  const found: Imported[] = [];
  try {
    for (const { name, body } of documents) {
      const said = await refusalOf(async () => {
        const document = { body: bytesOf(body), failOnWarnings: true };
        if (restApiId === undefined) {
          const parameters = { endpointConfigurationTypes: 'REGIONAL' };
          restApiId = (await client.send(new ImportRestApiCommand({ ...document, parameters }))).id;
        } else {
          await client.send(new PutRestApiCommand({ ...document, restApiId, mode: 'overwrite' }));
        }
      });
      found.push({ name, ...said });
    }
  } finally {
    if (restApiId !== undefined) await client.send(new DeleteRestApiCommand({ restApiId }));
  }
  return found;
};
