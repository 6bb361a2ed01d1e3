import { join } from 'node:path';
import { type DeployedStack, deploy } from './assembly/deployment.ts';
import { openStackRecords, type StackRecords } from './assembly/stack-records.ts';
import { type CdkApp, synthesize } from './assembly/synthesize.ts';
import { readAssembly } from './assembly/template.ts';
import type { AwsEndpoint } from './aws-endpoint/server.ts';
import { accountId, region } from './engines/account.ts';
import type { Engines } from './engines/engines.ts';
import { resourceTypes } from './resources/index.ts';
import { type EngineOptions, startEngines } from './start-engines.ts';

/** An app whose resources exist. Nothing calls them yet. */
export interface DeployedApp {
  readonly engines: Engines;
  readonly endpoint: AwsEndpoint;
  readonly stack: DeployedStack;
}

export interface AppOptions extends EngineOptions {
  readonly app: CdkApp;
  /** The CDK context, as `cdk synth -c` sets it. @default that of `cdk.json` */
  readonly context?: Readonly<Record<string, string>>;
  /** `api`: the port of the REST APIs. 0 chooses a free port. */
  readonly ports: EngineOptions['ports'] & { readonly api: number };
  /** The folder for the synthesized app. @default in the state directory */
  readonly assemblyDirectory?: string;
  /** The values of the template's parameters. Called while the engines start. @default their defaults */
  readonly parameters?: () => Promise<Readonly<Record<string, string>>>;
  /** @default a file in the state directory */
  readonly recordsOf?: (stackName: string) => StackRecords;
  /** Logical id of a resource whose creation is made to fail. @default none */
  readonly failAt?: string | undefined;
  /** Prepares the deployed app before it serves anybody, for example with data. @default does nothing */
  readonly prepare?: (app: DeployedApp) => Promise<void>;
  readonly signal?: AbortSignal;
  /** Called often, with what is being done. @default not called */
  readonly progress?: (doing: string) => void;
}

/**
 * Starts the engines, synthesizes a CDK app with one stack, deploys the stack, and serves it. `starting` stops what was
 * started.
 */
export const startApp = async (
  options: AppOptions,
  starting: AsyncDisposableStack,
): Promise<DeployedApp & { readonly apiPort: number }> => {
  const { app, context = {}, stateDirectory, signal, failAt, progress = () => {} } = options;
  const outputDirectory = options.assemblyDirectory ?? join(stateDirectory, 'cdk.out');
  progress('Synthesizing the CDK app');
  const [{ engines, endpoint }, parameters] = await settle([
    startEngines(options, starting),
    options.parameters?.() ?? Promise.resolve({}),
    synthesize({ app, context, outputDirectory, ...(signal && { signal }) }),
  ]);
  signal?.throwIfAborted();

  const assembly = readAssembly(outputDirectory);
  const records =
    options.recordsOf?.(assembly.stackName) ?? openStackRecords(join(stateDirectory, 'stacks.json'));
  const stack = await deploy({
    assembly,
    engines,
    resourceTypes,
    region,
    accountId,
    records,
    parameters,
    ...(failAt !== undefined && { failAt }),
    onResource: ({ done, of }) => progress(`Deploying ${done} of ${of} resources`),
  });
  const stacks = [{ ...stack, creationTime: new Date() }];
  endpoint.serve({ engines, stacks: () => stacks });
  await options.prepare?.({ engines, endpoint, stack });
  const apiPort = await engines.gateway.listen({ host: '127.0.0.1', port: options.ports.api });
  await engines.messaging.start();
  engines.schedule.start();
  engines.alarms.start();
  engines.eventSources.start();
  return { engines, endpoint, stack, apiPort };
};

/**
 * Waits until all work has settled, even if some of it fails. Otherwise engines that are still starting could not be
 * stopped.
 */
const settle = async <const Work extends readonly Promise<unknown>[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> => {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }>;
};
