import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenAwsEndpoint } from '../aws-endpoint/server.ts';
import type { StackDescription } from '../aws-endpoint/types.ts';
import { machineClock } from '../clock.ts';
import { region } from '../engines/account.ts';
import { createAlarmEngine } from '../engines/alarms/engine.ts';
import type { AlarmEngine } from '../engines/alarms/types.ts';
import { createDynamoDbEngine } from '../engines/dynamodb/engine.ts';
import type { DatabaseGate } from '../engines/dynamodb/faults/types.ts';
import type { Engines } from '../engines/engines.ts';
import { createEventSources } from '../engines/event-sources/engine.ts';
import type { EventSources } from '../engines/event-sources/types.ts';
import { createIdentities } from '../engines/iam/engine.ts';
import { keyPermission } from '../engines/iam/service-use.ts';
import type { Identities } from '../engines/iam/types.ts';
import { createKeyEngine, type KeyEngine } from '../engines/kms.ts';
import type { InvocationResult } from '../engines/lambda/types.ts';
import { createMessaging, type MessagingOptions } from '../engines/messaging/engine.ts';
import type { Messaging } from '../engines/messaging/types.ts';
import { createMetrics } from '../engines/metrics/engine.ts';
import type { Metrics } from '../engines/metrics/types.ts';
import { createSecretEngine, type SecretEngine } from '../engines/secrets.ts';
import { createStateMachines } from '../engines/state-machines/engine.ts';
import type { StateMachines } from '../engines/state-machines/types.ts';
import { createRestGateway } from '../gateway/rest-gateway.ts';
import type { RestGateway } from '../gateway/types.ts';
import { trustAuthority } from './trust-authority.ts';

export interface TestEndpoint {
  readonly url: string;
  readonly secureUrl: string;
  readonly certificateAuthorityFile: string;
  readonly stateDirectory: string;
  readonly alarms: AlarmEngine;
  readonly eventSources: EventSources;
  readonly gateway: RestGateway;
  readonly identities: Identities;
  readonly keys: KeyEngine;
  readonly messaging: Messaging;
  readonly metrics: Metrics;
  readonly secrets: SecretEngine;
  readonly stateMachines: StateMachines;
  /** Settings for SDK clients, with the operator's credentials. */
  readonly client: ClientSettings;
  /** Settings for SDK clients under a role that may do only what the policy allows. */
  clientOf(policy: unknown): ClientSettings;
  /** Throws without a database. */
  databaseGate(): DatabaseGate;
  /** Stops all engines. A given `stateDirectory` is kept. */
  stop(): Promise<void>;
}

interface ClientSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts: number;
}

export interface TestEndpointOptions {
  /** @default a new one, removed by `stop` */
  readonly stateDirectory?: string;
  readonly port?: number;
  readonly authorities?: readonly string[];
  /** @default SNS's 15_000 */
  readonly deliveryTimeoutMilliseconds?: number;
  readonly onFinishedDelivery?: MessagingOptions['onFinishedDelivery'];
  /** Answers a function's invocation. */
  readonly invoke?: (target: string, event: unknown) => Promise<InvocationResult>;
  /** Further methods of the Lambda engine. @default none */
  readonly lambda?: Partial<Engines['lambda']>;
  readonly stacks?: readonly StackDescription[];
  /** @default false */
  readonly withDynamoDb?: boolean;
}

/**
 * Starts the AWS endpoint with its real engines, except for Lambda: `invoke` answers invocations.
 *
 * @public
 */
export const startAwsEndpoint = async (options: TestEndpointOptions = {}): Promise<TestEndpoint> => {
  const stateDirectory = options.stateDirectory ?? (await mkdtemp(join(tmpdir(), 'aws-endpoint-')));
  const failures: string[] = [];
  const log = (line: string): void => {
    failures.push(line);
    console.error(line);
  };
  const endpoint = await listenAwsEndpoint({ port: options.port ?? 0, stateDirectory, log });
  trustAuthority(endpoint.certificateAuthorityFile);
  const metrics = createMetrics({ stateDirectory, clock: Date.now });
  const keys = createKeyEngine({ stateDirectory });
  const messaging = await createMessaging({
    keyAdmits: keyPermission(keys),
    metrics,
    stateDirectory,
    endpointUrl: endpoint.url,
    secureEndpointUrl: endpoint.secureUrl,
    authorities: options.authorities ?? [],
    ...(options.deliveryTimeoutMilliseconds !== undefined && {
      deliveryTimeoutMilliseconds: options.deliveryTimeoutMilliseconds,
    }),
    ...(options.onFinishedDelivery && { onFinishedDelivery: options.onFinishedDelivery }),
    onError: (error) => log(String(error)),
  });
  const dynamodb = options.withDynamoDb
    ? await createDynamoDbEngine({ stateDirectory, region, onUnexpectedExit: log })
    : undefined;
  const identities = createIdentities();
  const invoke = options.invoke ?? (async () => ({ ok: true, payload: null, requestId: 'test' }));
  const lambda = { invoke, has: () => true, ...options.lambda } as unknown as Engines['lambda'];
  const database = (dynamodb ?? {
    endpoint: 'http://127.0.0.1:1',
    nativeRegion: 'none',
  }) as Engines['dynamodb'];
  const eventSources = createEventSources({
    lambda,
    identities,
    messaging,
    dynamodb: database,
    stateDirectory,
    clock: machineClock,
    report: log,
  });
  const engines = {
    alarms: createAlarmEngine({
      stateDirectory,
      metrics,
      messaging,
      clock: Date.now,
      onError: (error) => {
        throw error;
      },
    }),
    identities,
    messaging,
    metrics,
    lambda,
    dynamodb: database,
    eventSources,
    gateway: createRestGateway({
      lambda,
      identities,
      stateDirectory,
      logDirectory: stateDirectory,
      clock: Date.now,
      trustForwardedFor: false,
      report: log,
    }),
    keys,
    secrets: createSecretEngine({ stateDirectory }),
    stateMachines: createStateMachines({ stateDirectory, lambda, identities }),
  } as unknown as Engines;
  await messaging.start();
  endpoint.serve({ engines, stacks: () => options.stacks ?? [] });

  const client = {
    endpoint: endpoint.url,
    region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
  let roles = 0;
  return {
    url: endpoint.url,
    secureUrl: endpoint.secureUrl,
    certificateAuthorityFile: endpoint.certificateAuthorityFile,
    stateDirectory,
    alarms: engines.alarms,
    eventSources: engines.eventSources,
    gateway: engines.gateway,
    identities,
    keys: engines.keys,
    messaging,
    metrics,
    secrets: engines.secrets,
    stateMachines: engines.stateMachines,
    client,
    clientOf(policy) {
      roles += 1;
      const name = `role-${roles}`;
      const arn = `arn:aws:iam::000000000000:role/${name}`;
      identities.registerRole({ arn, name, trusts: ['lambda.amazonaws.com'] });
      identities.attachPolicy(name, policy);
      return { ...client, credentials: identities.credentialsFor(arn, 'test') };
    },
    databaseGate: () => {
      if (!dynamodb) throw new Error('the endpoint was started without a database');
      return dynamodb.gate;
    },
    async stop() {
      await eventSources.stop();
      await engines.stateMachines.stop();
      await messaging.stop();
      await endpoint.stop();
      metrics.stop();
      await dynamodb?.stop();
      if (options.stateDirectory === undefined) await rm(stateDirectory, { recursive: true, force: true });
    },
  };
};
