import { monotonicClock } from '../../clock.ts';
import { createDatabaseGate } from './faults/gate.ts';
import { pointInTimeRecovery } from './recovery.ts';
import { type TableKeys, tableKeys } from './refusals.ts';
import { requestTokens } from './request-tokens.ts';
import { embeddedServer, externalServer } from './server.ts';
import { streamReader } from './streams.ts';
import { tableCreator } from './tables.ts';
import type { DynamoDbEngine } from './types.ts';
import { nativeAuthorization, wire } from './wire.ts';

export interface DynamoDbOptions {
  readonly stateDirectory: string;
  readonly region: string;
  /** The endpoint of a server that is already running, such as DynamoDB Local. @default starts the embedded binary */
  readonly endpoint?: string;
  readonly onUnexpectedExit: (reason: string) => void;
  /** @default prints it */
  readonly report?: (problem: string) => void;
}

export const createDynamoDbEngine = async (options: DynamoDbOptions): Promise<DynamoDbEngine> => {
  const server = options.endpoint ? await externalServer(options.endpoint) : await embeddedServer(options);
  const { call, close } = wire(server.endpoint);
  const localArn = (arn: string) =>
    arn.replace(/^arn:aws:dynamodb:[^:]+:/, `arn:aws:dynamodb:${options.region}:`);
  const nativeArn = (arn: string) =>
    arn.replace(/^arn:aws:dynamodb:[^:]+:/, `arn:aws:dynamodb:${server.nativeRegion}:`);
  const streams = streamReader({ call, region: options.region, nativeArn });
  const keys = new Map<string, TableKeys>();
  const makeTable = tableCreator({ call, localArn });
  const createTable: DynamoDbEngine['createTable'] = async (
    definition,
    { timeToLiveAttribute, hasRecovery = false } = {},
  ) => {
    keys.set(definition.TableName, tableKeys(definition));
    const created = await makeTable({ definition, ...(timeToLiveAttribute && { timeToLiveAttribute }) });
    if (hasRecovery) recovery?.enable(definition.TableName);
    else recovery?.disable(definition.TableName);
    return created;
  };
  const recovery =
    server.databaseFile === undefined
      ? undefined
      : pointInTimeRecovery({
          databaseFile: server.databaseFile,
          call,
          createTable,
          report: options.report ?? console.error,
        });

  return {
    endpoint: server.endpoint,
    nativeRegion: server.nativeRegion,
    authorization: nativeAuthorization,
    createTable,
    keysOf: (name) => keys.get(name),
    deleteTable: async (name) => {
      keys.delete(name);
      await call('DynamoDB_20120810.DeleteTable', { TableName: name });
      recovery?.disable(name);
    },
    readStream: streams.read,
    latestSequenceNumber: streams.latest,
    gate: createDatabaseGate({ call, clock: monotonicClock }),
    requestTokens: requestTokens({ clock: monotonicClock }),
    recovery,
    stop: async () => {
      await recovery?.stop();
      close();
      await server.stop();
    },
  };
};
