/**
 * Runs inside a worker thread: Lambda's Node.js runtime for one execution environment. The bundle is imported once and
 * keeps its module scope between invocations.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { followClock } from '../../clock.ts';
import { freezerWithin } from './freezer.ts';
import { functionLog } from './function-log.ts';
import type {
  EnvironmentMemory,
  EnvironmentMessage,
  EnvironmentSetup,
  HandlerError,
  InvocationOrder,
} from './protocol.ts';

type Handler = (event: unknown, context: unknown) => unknown;

const setup = workerData as EnvironmentSetup & EnvironmentMemory;
const port = parentPort;
if (port === null) throw new Error('This module runs only in a worker thread');

if (setup.ahead !== undefined) followClock(setup.ahead);

const log = functionLog(setup.logDescriptor);
const freezer = freezerWithin(setup.freezer);
let currentRequestId = '';

const send = (message: EnvironmentMessage): void => port.postMessage(message);

const describe = (thrown: unknown): HandlerError =>
  thrown instanceof Error
    ? {
        errorType: thrown.name,
        errorMessage: thrown.message,
        stackTrace: (thrown.stack ?? '').split('\n'),
      }
    : { errorType: typeof thrown, errorMessage: String(thrown), stackTrace: [] };

const consoleLine = (level: string, parts: readonly unknown[]): void =>
  log.write(`${new Date().toISOString()}\t${currentRequestId}\t${level}\t${format(...parts)}\n`);

/**
 * Redirects stdout and stderr to the function's log, for loggers that use a `Console` of their own. Makes `console.log`
 * write Lambda's prefix.
 */
const captureOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      log.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      const callback = rest.at(-1);
      if (typeof callback === 'function') callback();
      return true;
    }) as typeof stream.write;
  }
  console.log = (...parts) => consoleLine('INFO', parts);
  console.info = (...parts) => consoleLine('INFO', parts);
  console.debug = (...parts) => consoleLine('DEBUG', parts);
  console.trace = (...parts) => consoleLine('TRACE', parts);
  console.warn = (...parts) => consoleLine('WARN', parts);
  console.error = (...parts) => consoleLine('ERROR', parts);
};

const crash = (error: HandlerError, exitCode: number): void => {
  consoleLine('ERROR', [error.errorType, JSON.stringify(error)]);
  send({ kind: 'crashed', error });
  process.exit(exitCode);
};

class RuntimeError extends Error {
  constructor({ type, message }: { readonly type: string; readonly message: string }) {
    super(message);
    this.name = type;
  }
}

const loadHandler = async (): Promise<Handler> => {
  const dot = setup.handler.lastIndexOf('.');
  const [moduleName, exportName] = [setup.handler.slice(0, dot), setup.handler.slice(dot + 1)];
  const file = ['.mjs', '.js', '.cjs']
    .map((extension) => join(setup.codeDirectory, `${moduleName}${extension}`))
    .find((candidate) => existsSync(candidate));
  if (file === undefined) {
    throw new RuntimeError({
      type: 'Runtime.ImportModuleError',
      message: `Error: Cannot find module '${moduleName}'`,
    });
  }
  const module: Record<string, unknown> = await import(pathToFileURL(file).href);
  const handler = module[exportName];
  if (typeof handler !== 'function') {
    throw new RuntimeError({
      type: 'Runtime.HandlerNotFound',
      message: `${setup.handler} is undefined or not exported`,
    });
  }
  if (handler.length >= 3) {
    throw new RuntimeError({
      type: 'Runtime.CallbackHandlerDeprecated',
      message: 'AWS Lambda has removed support for callback-based function handlers starting with Node.js 24',
    });
  }
  return handler as Handler;
};

const contextOf = ({ requestId, deadline }: InvocationOrder) => ({
  functionName: setup.functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: setup.functionArn,
  memoryLimitInMB: String(setup.memoryMegabytes),
  awsRequestId: requestId,
  logGroupName: setup.logGroupName,
  logStreamName: setup.logStreamName,
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});

const serialize = (result: unknown): string => {
  try {
    return JSON.stringify(result === undefined ? null : result);
  } catch (error) {
    throw new RuntimeError({
      type: 'Runtime.MarshalError',
      message: `Unable to stringify response body: ${String(error)}`,
    });
  }
};

const invoke = async (handler: Handler, order: InvocationOrder): Promise<EnvironmentMessage> => {
  try {
    const result = await handler(JSON.parse(order.event), contextOf(order));
    return { kind: 'succeeded', requestId: order.requestId, payload: serialize(result) };
  } catch (thrown) {
    const error = describe(thrown);
    consoleLine('ERROR', ['Invoke Error', `\t${JSON.stringify(error)}`]);
    return { kind: 'failed', requestId: order.requestId, error };
  }
};

captureOutput();
process.on('uncaughtException', (error) => crash(describe(error), 129));
process.on('unhandledRejection', (reason) =>
  crash(
    { ...describe(reason), errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: String(reason) },
    128,
  ),
);

try {
  const handler = await loadHandler();
  port.on('message', async (order: InvocationOrder) => {
    freezer.began();
    currentRequestId = order.requestId;
    const began = performance.now();
    log.start(order.requestId);
    const outcome = await invoke(handler, order);
    log.end({
      requestId: order.requestId,
      durationMilliseconds: performance.now() - began,
      memoryMegabytes: setup.memoryMegabytes,
      usedMegabytes: Math.ceil(getHeapStatistics().used_heap_size / 2 ** 20),
      ...(outcome.kind === 'failed' ? { status: 'error' as const } : {}),
    });
    send(outcome);
    freezer.freeze();
  });
  send({ kind: 'ready' });
  freezer.freeze();
} catch (thrown) {
  const error = describe(thrown);
  consoleLine('ERROR', ['Uncaught Exception', `\t${JSON.stringify(error)}`]);
  send({ kind: 'initFailed', error });
  process.exit(1);
}
