import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStackRecords, type StackRecords } from 'template-runtime/assembly/stack-records.ts';
import { type EngineClock, machineClock } from 'template-runtime/clock.ts';
import { writeFileDurably } from 'template-runtime/durable-file.ts';
import type { Engines } from 'template-runtime/engines/engines.ts';
import { startApp } from 'template-runtime/start-app.ts';
import { openStateDirectory } from 'template-runtime/state-directory.ts';
import { adverse } from './adverse.ts';
import { app } from './app.ts';
import { documentationPages } from './documentation/pages.ts';
import { startFakes } from './fakes/fakes.ts';
import { type Outputs, writeOutputs } from './outputs.ts';
import { playerPages } from './player/pages.ts';
import { rememberedFile } from './port-choice.mjs';
import { claimPorts, type Ports } from './ports.ts';
import { type Seeded, seed } from './seed/seed.ts';

export interface RuntimeOptions {
  readonly ports: Ports;
  readonly stateDirectory: string;
  /** Deletes the state of earlier runs first. @default false */
  readonly fresh?: boolean;
  /** Without demonstration events and users. @default false */
  readonly empty?: boolean;
  /** PEM file of a certificate authority to trust for HTTPS endpoints of customers. */
  readonly trustCa?: string;
  /** @default false */
  readonly trustForwardedFor?: boolean;
  /** Origins of further pages that may play streams and link wallets. @default only this system's own pages */
  readonly pageOrigins?: readonly string[];
  /**
   * After seeding, makes some calls fail or take longer and freezes functions, as AWS sometimes does. @default false
   */
  readonly adverse?: boolean;
  /** The address of a running DynamoDB. @default the embedded one */
  readonly dynamodbEndpoint?: string;
  /** The folder for the synthesized CDK app. @default in the state directory */
  readonly assemblyDirectory?: string;
  /** Logical id of a resource whose creation is made to fail. @default none */
  readonly failAt?: string | undefined;
  /** How many times longer than usual the service, and those who call it, wait for answers. @default 1 */
  readonly patience?: number | undefined;
  /** The clock of the whole system but the chain. @default the machine's clock */
  readonly clock?: EngineClock;
  readonly signal?: AbortSignal;
  readonly log: (line: string) => void;
  /** Called often while the runtime starts, with the name of the current step. @default not called */
  readonly progress?: (doing: string) => void;
  readonly onFailure: (reason: string) => void;
}

export interface Runtime {
  readonly outputs: Outputs;
  readonly engines: Engines;
  stop(): Promise<void>;
}

export const startRuntime = async (options: RuntimeOptions): Promise<Runtime> => {
  await using starting = new AsyncDisposableStack();
  const trustedAuthorities = options.trustCa === undefined ? [] : [readAuthority(options.trustCa)];
  const ports = await claimPorts(options.ports);
  const pageOrigins = [...new Set([`http://127.0.0.1:${ports.api}`, ...(options.pageOrigins ?? [])])];
  const state = await openStateDirectory(options.stateDirectory, { fresh: options.fresh ?? false });
  starting.defer(() => state.release());

  writeFileDurably(rememberedFile(state.path), JSON.stringify(ports));
  const startedFakes = startFakes(
    { ports, stateDirectory: state.path, pageOrigins, clock: (options.clock ?? machineClock).now },
    starting,
  );
  const seeded = Promise.withResolvers<Seeded>();
  const { engines, endpoint, stack } = await startApp(
    {
      ...options,
      app,
      context: { stage: 'local' },
      ports,
      stateDirectory: state.path,
      trustedAuthorities,
      pageOrigins,
      recordsOf: (stackName) => recordsIn(state.path, stackName),
      parameters: async () => {
        const { oidcIssuer, entitlementUrl, geolocationUrl } = await startedFakes;
        return {
          PublicBaseUrlBase: `http://127.0.0.1:${ports.api}/base`,
          PublicBaseUrlB2b: `http://127.0.0.1:${ports.api}/b2b`,
          PublicBaseUrlProfile: `http://127.0.0.1:${ports.api}/profile`,
          OidcIssuer: oidcIssuer,
          EntitlementUrl: entitlementUrl,
          GeolocationUrl: geolocationUrl,
          PageOrigins: pageOrigins.join(','),
        };
      },
      prepare: async (deployed) => {
        options.progress?.('Seeding the demonstration');
        const { distributionUrl, signingKey } = await startedFakes;
        const seeding = seed({
          pageOrigins,
          engines: deployed.engines,
          stack: deployed.stack,
          stateDirectory: state.path,
          awsEndpointUrl: deployed.endpoint.url,
          distributionUrl,
          signingKey,
          empty: options.empty ?? false,
        });
        seeded.resolve(await seeding);
      },
    },
    starting,
  );
  const fakes = await startedFakes;
  const { applications, addTicketedEvent } = await seeded.promise;

  if (options.adverse) {
    engines.dynamodb.gate.setFaults(adverse.database);
    engines.lambda.setFaults(adverse.lambda);
  }

  const output = (key: string): string => {
    const found = stack.outputs.find((each) => each.key === key);
    if (!found) throw new Error(`the template has no output ${key}`);
    return found.value;
  };
  const outputs: Outputs = {
    base_url: output('BaseUrl'),
    api_url_b2b: output('ApiUrlB2b'),
    api_url_profile: output('ApiUrlProfile'),
    aws_endpoint_url: endpoint.url,
    chain_rpc_url: engines.chain.rpcUrl,
    oidc_issuer: fakes.oidcIssuer,
    topic_arn: output('TopicArn'),
    dlq_url: output('DeadLetterQueueUrl'),
    entitlement_url: fakes.entitlementUrl,
    geolocation_url: fakes.geolocationUrl,
    distribution_url: fakes.distributionUrl,
    ca_file: endpoint.certificateAuthorityFile,
    applications,
  };
  engines.gateway.servePages('docs', documentationPages(outputs));
  const toDocumentation = { contentType: 'text/plain', body: Buffer.alloc(0), location: '/docs' };
  engines.gateway.servePages('', new Map([['', () => toDocumentation]]));
  engines.gateway.servePages('player', playerPages(outputs, { addTicketedEvent, log: options.log }));
  writeOutputs(state.path, outputs);
  const running = starting.move();
  return { outputs, engines, stop: () => running.disposeAsync() };
};

/**
 * The records of stacks. If outputs.json exists, the system was ready once and has data. A stack without a record is
 * then recorded as created, so that it is updated and never rolled back.
 */
const recordsIn = (stateDirectory: string, stackName: string): StackRecords => {
  const records = openStackRecords(join(stateDirectory, 'stacks.json'));
  if (records.find(stackName) === undefined && existsSync(join(stateDirectory, 'outputs.json'))) {
    records.keep(stackName, { status: 'CREATE_COMPLETE', terminationProtection: false });
  }
  return records;
};

const readAuthority = (file: string): string => {
  try {
    const pem = readFileSync(file, 'utf8');
    new X509Certificate(pem);
    return pem;
  } catch (cause) {
    throw new Error(`${file} (--trust-ca) does not contain a certificate in PEM format`, { cause });
  }
};
