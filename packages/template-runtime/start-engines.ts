import { join } from 'node:path';
import { type AwsEndpoint, listenAwsEndpoint } from './aws-endpoint/server.ts';
import { type EngineClock, machineClock } from './clock.ts';
import { region } from './engines/account.ts';
import { createAlarmEngine } from './engines/alarms/engine.ts';
import { createChainEngine } from './engines/chain/engine.ts';
import { createDynamoDbEngine } from './engines/dynamodb/engine.ts';
import { measureThrottles } from './engines/dynamodb/measured-throttles.ts';
import type { Engines } from './engines/engines.ts';
import { createEventSources } from './engines/event-sources/engine.ts';
import { createFirewalls } from './engines/firewall/engine.ts';
import { createIdentities } from './engines/iam/engine.ts';
import { keyPermission } from './engines/iam/service-use.ts';
import { createKeyEngine } from './engines/kms.ts';
import { createLambdaEngine } from './engines/lambda/engine.ts';
import { createLogs } from './engines/logs/engine.ts';
import { createMessaging } from './engines/messaging/engine.ts';
import { createMetrics } from './engines/metrics/engine.ts';
import { createScheduler } from './engines/schedule/engine.ts';
import { createSecretEngine } from './engines/secrets.ts';
import { createDeliveryStatus } from './engines/sns-delivery/delivery-status.ts';
import { snsTimeoutMilliseconds } from './engines/sns-delivery/poster.ts';
import { createStateMachines } from './engines/state-machines/engine.ts';
import { createRestGateway } from './gateway/rest-gateway.ts';

export interface EngineOptions {
  /** 0 chooses a free port. */
  readonly ports: { readonly aws: number; readonly chain: number };
  readonly stateDirectory: string;
  /** Authorities, in PEM format, that the HTTPS endpoints of subscriptions may use. @default those of Node.js alone */
  readonly trustedAuthorities?: readonly string[];
  /** Whether a caller's address may come from `X-Forwarded-For`. @default false */
  readonly trustForwardedFor?: boolean;
  /** Origins whose pages may call the chain as pages of this machine may. @default none */
  readonly pageOrigins?: readonly string[];
  /** The address of a running DynamoDB. @default the embedded one */
  readonly dynamodbEndpoint?: string | undefined;
  /**
   * How many times longer than on AWS functions, the integrations of the gateway, and endpoints of subscriptions may
   * take. For a busy machine. @default 1
   */
  readonly patience?: number | undefined;
  /** @default the machine's clock */
  readonly clock?: EngineClock;
  /** @default prints the line to standard output */
  readonly log?: (line: string) => void;
  /** Called when a program that an engine needs has ended. @default throws, which ends the process */
  readonly onFailure?: (reason: string) => void;
}

const ended = (reason: string): never => {
  throw new Error(reason);
};

/** Starts all engines. `stack` stops them in reverse order, so that callers stop before the engines that they call. */
export const startEngines = async (
  options: EngineOptions,
  stack: AsyncDisposableStack,
): Promise<{ readonly engines: Engines; readonly endpoint: AwsEndpoint }> => {
  const { ports, stateDirectory, patience, log = console.log, clock = machineClock } = options;
  const logDirectory = join(stateDirectory, 'logs');
  const children = await startChildren(options, stack);

  const endpoint = await listenAwsEndpoint({ port: ports.aws, stateDirectory, log });
  stack.defer(() => endpoint.stop());
  const metrics = createMetrics({ stateDirectory, clock: clock.now });
  stack.defer(() => metrics.stop());
  const keys = createKeyEngine({ stateDirectory });
  const messaging = await createMessaging({
    stateDirectory,
    endpointUrl: endpoint.url,
    secureEndpointUrl: endpoint.secureUrl,
    authorities: options.trustedAuthorities ?? [],
    onFinishedDelivery: (delivery, logging) => deliveryStatus(delivery, logging),
    keyAdmits: keyPermission(keys),
    deliveryTimeoutMilliseconds: snsTimeoutMilliseconds * (patience ?? 1),
    clock,
    metrics,
    onError: (error) => log(`SNS and SQS: ${error instanceof Error ? error.message : String(error)}`),
  });
  stack.defer(() => messaging.stop());

  const identities = createIdentities();
  const lambda = createLambdaEngine({
    logDirectory,
    identities,
    messaging,
    awsEndpointUrl: () => endpoint.url,
    patience,
    clock,
    metrics,
    report: log,
  });
  stack.defer(() => lambda.stop());
  const logs = createLogs({
    logDirectory,
    waitingFile: join(stateDirectory, 'waiting-log-events.jsonl'),
    lambda,
    metrics,
    clock: clock.now,
  });
  stack.defer(() => logs.stop());
  const deliveryStatus = createDeliveryStatus({ logs, identities });
  const stateMachines = createStateMachines({ stateDirectory, lambda, identities, metrics, clock });
  stack.defer(() => stateMachines.stop());
  const schedule = createScheduler({ lambda, clock, metrics });
  stack.defer(() => schedule.stop());
  const eventSources = createEventSources({
    lambda,
    identities,
    dynamodb: children.dynamodb,
    messaging,
    metrics,
    stateDirectory,
    clock,
    report: log,
  });
  stack.defer(() => eventSources.stop());
  const firewalls = createFirewalls({ clock: clock.now, metrics });
  const gateway = createRestGateway({
    lambda,
    firewalls,
    identities,
    stateDirectory,
    logDirectory,
    clock: clock.now,
    elapsed: clock.elapsed,
    patience,
    metrics,
    trustForwardedFor: options.trustForwardedFor ?? false,
    report: log,
  });
  stack.defer(() => gateway.stop());

  const alarms = createAlarmEngine({
    stateDirectory,
    metrics,
    messaging,
    clock: clock.now,
    onError: (error) => log(`Alarms: ${error instanceof Error ? error.message : String(error)}`),
  });
  stack.defer(() => alarms.stop());
  stack.defer(children.dynamodb.gate.observe(measureThrottles(metrics, clock.now)));

  const engines: Engines = {
    ...children,
    alarms,
    eventSources,
    firewalls,
    gateway,
    identities,
    keys,
    lambda,
    logs,
    messaging,
    metrics,
    schedule,
    secrets: createSecretEngine({ stateDirectory }),
    stateMachines,
  };
  return { engines, endpoint };
};

const startChildren = async (
  {
    ports,
    stateDirectory,
    pageOrigins = [],
    dynamodbEndpoint,
    log = console.log,
    onFailure = ended,
  }: EngineOptions,
  stack: AsyncDisposableStack,
): Promise<Pick<Engines, 'chain' | 'dynamodb'>> => {
  const started = await Promise.allSettled([
    createDynamoDbEngine({
      stateDirectory,
      region,
      ...(dynamodbEndpoint && { endpoint: dynamodbEndpoint }),
      report: log,
      onUnexpectedExit: onFailure,
    }),
    createChainEngine({ stateDirectory, port: ports.chain, pageOrigins, log, onUnexpectedExit: onFailure }),
  ]);
  for (const each of started) {
    if (each.status === 'fulfilled') stack.defer(() => each.value.stop());
  }
  const [dynamodb, chain] = started;
  if (dynamodb.status === 'rejected') throw dynamodb.reason;
  if (chain.status === 'rejected') throw chain.reason;
  return { dynamodb: dynamodb.value, chain: chain.value };
};
