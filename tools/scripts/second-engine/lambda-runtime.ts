import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolve as resolveIntrinsics, type Scope } from 'template-runtime/assembly/intrinsics.ts';
import { readAssembly, type Template } from 'template-runtime/assembly/template.ts';
import * as z from 'zod';
import { run } from '../check/command.ts';
import { outside } from './outside.ts';
import { cacheDirectory, type Verdict } from './verdict.ts';

const version = '4.0.2';
const directory = join(cacheDirectory, `aws-lambda-ric-${version}`);
const client = join(directory, 'node_modules', 'aws-lambda-ric', 'index.mjs');

/**
 * Starts every bundle of the prod stage under `aws-lambda-ric`, Lambda's own runtime, and sends one invocation to each.
 */
export const checkLambdaRuntime = async (): Promise<Verdict> => {
  if (!existsSync(join(directory, 'node_modules', 'aws-lambda-ric', 'rapid-client.node'))) {
    const cmake = await outside('cmake', ['--version']);
    if (!cmake.ok) return { missing: `CMake, which is needed to build aws-lambda-ric: ${cmake.output}` };
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, 'package.json'),
      '{ "private": true, "allowScripts": { "aws-lambda-ric": true } }',
    );
    const installed = await outside(
      'npm',
      ['install', '--no-audit', '--no-fund', `aws-lambda-ric@${version}`],
      {
        cwd: directory,
      },
    );
    if (!installed.ok) return { missing: `aws-lambda-ric, which did not build: ${installed.output}` };
  }
  const assembly = mkdtempSync(join(tmpdir(), 'marquee-runtime-'));
  try {
    const { exitCode, output } = await run({
      program: 'cdk',
      parameters: ['synth', '--quiet', '--no-notices', '--context', 'stage=prod', '--output', assembly],
    });
    if (exitCode !== 0) return { checked: 0, findings: [output] };
    const { template } = readAssembly(assembly);
    const functions = Object.entries(template.Resources).filter(
      ([, { Type }]) => Type === 'AWS::Lambda::Function',
    );
    const findings: string[] = [];
    for (const [id, { Properties }] of functions) {
      const resolved = functionSchema.parse({
        ...Properties,
        Environment: resolveIntrinsics(Properties.Environment, deployed(template)),
      });
      const finding = await startsClean(assembly, resolved);
      if (finding !== undefined) findings.push(`${id}: ${finding}`);
    }
    return { checked: functions.length, findings };
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
};

const functionSchema = z.object({
  Code: z.object({ S3Key: z.string() }),
  Handler: z.string(),
  MemorySize: z.number(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
});

/**
 * Values for references to resources of the stack. The resources need not exist, because no function uses them before
 * it is invoked.
 */
const deployed = ({ Resources }: Template): Scope => {
  const isQueue = (name: string) => Resources[name]?.Type === 'AWS::SQS::Queue';
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::Region': 'us-east-1',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::AccountId': '000000000000',
    'AWS::Partition': 'aws',
  };
  return {
    ref: (name) =>
      isQueue(name) ? `https://sqs.us-east-1.amazonaws.com/000000000000/${name}` : (pseudo[name] ?? name),
    getAtt: (logicalId, attribute) =>
      attribute.endsWith('Arn') ? `arn:aws:service:us-east-1:000000000000:${logicalId}` : logicalId,
  };
};

const patienceMilliseconds = 30_000;

/** Starts a function and returns what is wrong with its start or its first response; `undefined` if nothing is. */
const startsClean = async (
  assembly: string,
  { Code, Environment, Handler, MemorySize }: z.output<typeof functionSchema>,
): Promise<string | undefined> => {
  const codeDirectory = join(assembly, `asset.${Code.S3Key.replace(/\.zip$/, '')}`);
  const told: { readonly path: string; readonly body: string }[] = [];
  const { promise: answered, resolve: settle } = Promise.withResolvers<void>();
  let invocations = 0;
  // A local Lambda runtime API (AWS's page "Lambda runtime API"): the process asks it for an invocation once it is
  // initialized.
  const service = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.url?.endsWith('/invocation/next')) {
      invocations += 1;
      if (invocations > 1) return settle();
      return response
        .writeHead(200, {
          'lambda-runtime-aws-request-id': '8476a536-e9f4-11e8-9739-2dfe598c3fcd',
          'lambda-runtime-deadline-ms': String(Date.now() + 10_000),
          'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:000000000000:function:checked',
          'content-type': 'application/json',
        })
        .end('{"Records":[]}');
    }
    told.push({ path: request.url ?? '', body });
    response.writeHead(202).end('{}');
    if (request.url?.endsWith('/init/error')) settle();
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const child = spawn(process.execPath, [client], {
    cwd: codeDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Environment.Variables,
      PATH: process.env.PATH,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(service.address() as AddressInfo).port}`,
      AWS_LAMBDA_FUNCTION_NAME: 'checked',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_GROUP_NAME: 'checked',
      AWS_LAMBDA_LOG_STREAM_NAME: 'checked',
      AWS_REGION: 'us-east-1',
      // Nothing listens at this address, so no AWS call of a checked function leaves the machine.
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'checked',
      AWS_SECRET_ACCESS_KEY: 'checked',
      AWS_SESSION_TOKEN: 'checked',
      _HANDLER: Handler,
      LAMBDA_TASK_ROOT: codeDirectory,
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const exited = once(child, 'exit').then(() => settle());
  const timer = setTimeout(settle, patienceMilliseconds);
  await answered;
  clearTimeout(timer);
  child.kill('SIGKILL');
  await exited;
  service.closeAllConnections();
  service.close();
  const wrong = told.find(({ path }) => path.endsWith('/init/error'));
  if (wrong !== undefined) return `does not start: ${wrong.body}`;
  if (invocations === 0) return `never asked for an invocation:\n${printed}`;
  if (told.length === 0) return `did not answer an invocation:\n${printed}`;
  return undefined;
};
