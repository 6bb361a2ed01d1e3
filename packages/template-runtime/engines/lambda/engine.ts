import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { type EngineClock, machineClock, monotonicClock } from '../../clock.ts';
import { accountId, region } from '../account.ts';
import { arnPattern } from '../iam/glob.ts';
import type { Identities } from '../iam/types.ts';
import type { Messaging } from '../messaging/types.ts';
import type { Metrics } from '../metrics/types.ts';
import { ServiceFault } from '../service-fault.ts';
import { type Discarded, defaultSettings, invocationRecord, invokeWithRetries } from './asynchronous.ts';
import { concurrencyLimits } from './concurrency.ts';
import { type LambdaFaults, noLambdaFaults } from './faults.ts';
import { FunctionPool } from './function-pool.ts';
import type { EnvironmentSetup } from './protocol.ts';
import type { AsynchronousSettings, InvokePermission, LambdaEngine, LambdaFunction } from './types.ts';

export interface LambdaEngineOptions {
  readonly logDirectory: string;
  readonly identities: Pick<Identities, 'authorizeRole' | 'credentialsFor'>;
  /** Receives the asynchronous calls that were given up. */
  readonly messaging?: Pick<Messaging, 'send'>;
  /**
   * Returns the AWS endpoint's URL for the functions. The URL becomes known only after the engine is created, but
   * before the first function is invoked.
   */
  readonly awsEndpointUrl: () => string;
  /** @default the machine's clock */
  readonly clock?: EngineClock;
  readonly metrics?: Pick<Metrics, 'put'>;
  readonly report: (line: string) => void;
  /**
   * Maximum number of environments of a function; further calls wait. @default 4, or twice the number of cores if
   * higher
   */
  readonly maximumConcurrency?: number;
  /**
   * How many times longer than its timeout a function may run. The function reads it from the variable `PATIENCE`.
   * @default 1, and no variable
   */
  readonly patience?: number | undefined;
  /** An environment ends after this time without a call. @default 60_000 */
  readonly idleMilliseconds?: number;
}

interface Registration {
  readonly fn: LambdaFunction;
  readonly pool: FunctionPool;
  readonly logFile: string;
  readonly logDescriptor: number;
  readonly permissions: Permission[];
  asynchronous: AsynchronousSettings;
}

interface Permission extends InvokePermission {
  readonly coversSource: (arn: string) => boolean;
}

export const createLambdaEngine = (options: LambdaEngineOptions): LambdaEngine => {
  const registrations = new Map<string, Registration>();
  const stopping = new AbortController();
  let faults: LambdaFaults = noLambdaFaults;
  const limits = concurrencyLimits(() => faults);
  const {
    idleMilliseconds = 60_000,
    clock = machineClock,
    maximumConcurrency = Math.max(4, 2 * availableParallelism()),
  } = options;
  mkdirSync(options.logDirectory, { recursive: true });
  const reaper = setInterval(() => {
    for (const { pool } of registrations.values()) pool.reap(idleMilliseconds);
  }, 30_000);
  reaper.unref();

  const find = (target: string): Registration => {
    const registration = registrations.get(nameOf(target));
    if (registration === undefined) throw new FunctionNotFound({ target });
    return registration;
  };

  const register = (fn: LambdaFunction): void => {
    if (registrations.has(fn.name)) throw new Error(`Two functions have the name ${fn.name}`);
    const logFile = join(options.logDirectory, `${fn.name}.log`);
    const logDescriptor = openSync(logFile, 'a');
    const logStreamName = `${new Date(clock.now()).toISOString().slice(0, 10).replaceAll('-', '/')}/[$LATEST]local`;
    const setup = {
      functionName: fn.name,
      functionArn: fn.arn,
      memoryMegabytes: fn.memoryMegabytes,
      codeDirectory: fn.codeDirectory,
      handler: fn.handler,
      logDescriptor,
      logGroupName: `/aws/lambda/${fn.name}`,
      logStreamName,
    };
    const pool = new FunctionPool({
      maximumConcurrency: Math.min(fn.reservedConcurrency ?? maximumConcurrency, maximumConcurrency),
      environment: {
        setup,
        clock,
        timeoutSeconds: fn.timeoutSeconds * (options.patience ?? 1),
        freezes: () => faults.freezes,
        environment: () => reservedVariables({ fn, setup, options }),
      },
    });
    limits.reserve(fn.name, fn.reservedConcurrency);
    registrations.set(fn.name, {
      fn,
      pool,
      logFile,
      logDescriptor,
      permissions: [],
      asynchronous: defaultSettings,
    });
  };

  const invoke: LambdaEngine['invoke'] = async (target, event, { signal } = {}) => {
    const { fn, pool, logFile } = find(target);
    const requestId = randomUUID();
    const began = monotonicClock();
    const outcome = await limits.within(fn, () =>
      pool.run({ requestId, event: JSON.stringify(event ?? null), signal }),
    );
    const measure = (values: Readonly<Record<string, number>>): void => {
      for (const [metric, value] of Object.entries(values)) {
        const dimensions = { FunctionName: fn.name };
        options.metrics?.put({ namespace: 'AWS/Lambda', name: metric, dimensions, value, at: clock.now() });
      }
    };
    if (typeof outcome === 'string') {
      measure({ Throttles: 1 });
      const throttled = { ok: false, requestId, ...tooManyRequests } as const;
      if (outcome === 'given up') return throttled;
      options.report(`${fn.name} was not invoked: ${outcome}`);
      return { ...throttled, refusal: outcome };
    }
    measure({
      Invocations: 1,
      Errors: outcome.kind === 'succeeded' ? 0 : 1,
      Duration: monotonicClock() - began,
    });
    if (outcome.kind === 'succeeded') {
      return { ok: true, requestId, payload: JSON.parse(outcome.payload) };
    }
    const { errorType, errorMessage, stackTrace } = outcome.error;
    // A call that failed only because of the shutdown is not reported.
    if (!stopping.signal.aborted) {
      options.report(
        `${fn.name} failed: ${errorType}: ${oneLine(errorMessage)} (see ${relative('', logFile)})`,
      );
    }
    return { ok: false, requestId, errorType, errorMessage, ...(stackTrace && { stackTrace }) };
  };

  const maySend = ({ roleArn, name }: LambdaFunction, queueArn: string) =>
    options.identities.authorizeRole({
      roleArn,
      sessionName: name,
      action: 'sqs:SendMessage',
      resources: [queueArn],
    });

  const configureAsynchronous: LambdaEngine['configureAsynchronous'] = (target, settings) => {
    const registration = find(target);
    const { onFailureArn } = settings;
    if (onFailureArn !== undefined && !maySend(registration.fn, onFailureArn).allowed) {
      throw new ServiceFault({
        code: 'InvalidParameterValueException',
        message: `The function's execution role does not have permissions to call SendMessage on ${onFailureArn}`,
      });
    }
    registration.asynchronous = { ...defaultSettings, ...settings };
  };

  const putAside = async (
    { fn, asynchronous: { onFailureArn } }: Registration,
    { event, discarded }: { readonly event: unknown; readonly discarded: Discarded },
  ): Promise<void> => {
    options.report(`${fn.name} discarded an asynchronous call: ${discarded.condition}`);
    if (onFailureArn === undefined) return;
    try {
      const decision = maySend(fn, onFailureArn);
      if (!decision.allowed) throw new Error(decision.message);
      const body = invocationRecord({ discarded, functionArn: fn.arn, event, now: clock.now() });
      await options.messaging?.send({ queueArn: onFailureArn, body });
    } catch (error) {
      options.report(`${fn.name} could not be put aside: ${oneLine(String(error))}`);
      const dimensions = { FunctionName: fn.name };
      const at = clock.now();
      options.metrics?.put({
        namespace: 'AWS/Lambda',
        name: 'DestinationDeliveryFailures',
        dimensions,
        value: 1,
        at,
      });
    }
  };

  const enqueue = async (target: string, event: unknown): Promise<boolean> => {
    const registration = find(target);
    const { signal } = stopping;
    try {
      const discarded = await invokeWithRetries({
        invoke: () => invoke(target, event),
        settings: registration.asynchronous,
        isSwitchedOff: () => limits.reserved(registration.fn.name) === 0,
        signal,
        clock,
      });
      if (discarded !== undefined) await putAside(registration, { event, discarded });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  };

  return {
    register,
    invoke,
    configureAsynchronous,
    enqueue,
    has: (target) => registrations.has(nameOf(target)),
    describe: (target) => find(target).fn,
    reserve: (target, concurrency) => limits.reserve(find(target).fn.name, concurrency),
    reserved: (target) => limits.reserved(find(target).fn.name),
    logFileOf: (target) => find(target).logFile,
    permit: (permission) => {
      const { target, statementId, sourceArn } = permission;
      const { permissions } = find(target);
      if (permissions.some((each) => each.statementId === statementId)) {
        throw new ServiceFault({
          code: 'ResourceConflictException',
          message: `The statement id (${statementId}) provided already exists. Please provide a new statement id, or remove the existing statement.`,
          status: 409,
        });
      }
      const coversSource = sourceArn === undefined ? () => true : arnPattern(sourceArn);
      permissions.push({ ...permission, coversSource });
    },
    forbid: (target, statementId) => {
      const { permissions } = find(target);
      const at = permissions.findIndex((each) => each.statementId === statementId);
      if (at < 0) {
        throw new ServiceFault({
          code: 'ResourceNotFoundException',
          message: `Statement ${statementId} is not found in resource policy.`,
          status: 404,
        });
      }
      permissions.splice(at, 1);
    },
    mayInvoke: (request) =>
      find(request.target).permissions.some((permission) => isPermitted({ permission, request })),
    get faults() {
      return faults;
    },
    setFaults: (changes) => {
      faults = { ...faults, ...changes };
    },
    stop: async () => {
      stopping.abort();
      clearInterval(reaper);
      await Promise.all(
        [...registrations.values()].map(async ({ pool, logDescriptor }) => {
          await pool.stop();
          closeSync(logDescriptor);
        }),
      );
      registrations.clear();
    },
  };
};

export class FunctionNotFound extends Error {
  constructor({ target }: { readonly target: string }) {
    super(`Function not found: ${target}`);
    this.name = 'FunctionNotFound';
  }
}

const tooManyRequests = { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' };

/** Returns the function's name. `target` is the name or the ARN, with or without a version or alias. */
const nameOf = (target: string): string => {
  const parts = target.split(':');
  const at = parts.indexOf('function');
  return (at >= 0 ? parts[at + 1] : parts[0]) ?? target;
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 200);

const isPermitted = ({
  permission,
  request,
}: {
  readonly permission: Permission;
  readonly request: { readonly principal: string; readonly sourceArn: string };
}): boolean =>
  (permission.action === 'lambda:InvokeFunction' || permission.action === 'lambda:*') &&
  permission.principal === request.principal &&
  permission.coversSource(request.sourceArn) &&
  (permission.sourceAccount === undefined || permission.sourceAccount === accountId);

/** The function's own variables and those that Lambda adds. No environment variable of this machine is passed on. */
const reservedVariables = ({
  fn,
  setup,
  options,
}: {
  readonly fn: LambdaFunction;
  readonly setup: EnvironmentSetup;
  readonly options: LambdaEngineOptions;
}): Record<string, string> => {
  const credentials = options.identities.credentialsFor(fn.roleArn, fn.name);
  return {
    ...fn.environment,
    ...(options.patience !== undefined && { PATIENCE: String(options.patience) }),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: options.awsEndpointUrl(),
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: setup.logGroupName,
    AWS_LAMBDA_LOG_STREAM_NAME: setup.logStreamName,
    AWS_REGION: region,
    LAMBDA_TASK_ROOT: fn.codeDirectory,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: fn.handler,
  };
};
