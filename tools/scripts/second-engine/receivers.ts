import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { judgedMessages } from '../../../test/support/notifications/judged-messages.ts';
import type { System } from '../../../test/support/platform/system.ts';
import { outside } from './outside.ts';
import { cacheDirectory, type Verdict } from './verdict.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const python = join(cacheDirectory, 'receiver-python', 'bin');
/** Libraries that verify SNS's signatures, as their users have them. */
const libraries = { 'sns-payload-validator': '2.1.0', 'sns-validator': '0.3.5' };
type Library = keyof typeof libraries;
/** Web frameworks, by the name under which each is installed. */
const expresses = { express: 'npm:express@5.3.0', 'express-4': 'npm:express@4.22.3' };
type Form = 'raw' | 'enveloped';

const patienceMilliseconds = 60_000;

interface Receiver {
  readonly name: string;
  readonly forms: readonly Form[];
  readonly program: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The receiver in the README of the client, as a file that finds the client. */
const readmeReceiver = (): string => {
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
  const [, lines] = /```js\n(import \{ createServer \}.*?)```/s.exec(readme) ?? [];
  if (lines === undefined) throw new Error('the README of the client has no receiver');
  const file = join(cacheDirectory, 'readme-receiver.mjs');
  writeFileSync(file, lines);
  return file;
};

const libraryReceiver = (library: Library, work: string): Receiver => ({
  name: library,
  forms: ['enveloped'],
  program: process.execPath,
  parameters: [join(work, 'library.mjs')],
  environment: { LIBRARY: library },
});

const frameworkReceiver = (framework: string, file?: string): Receiver => ({
  name: file === undefined ? framework : `${framework} (${file.split('/node_modules/')[1]})`,
  forms: ['raw', 'enveloped'],
  program: process.execPath,
  parameters: [fileURLToPath(new URL('programs/receivers/frameworks.mjs', import.meta.url))],
  environment: {
    FRAMEWORK: framework,
    ...(file !== undefined && { FRAMEWORK_MODULE: pathToFileURL(file).href }),
  },
});

const receiversIn = (work: string): readonly Receiver[] => [
  {
    name: "the client's README",
    forms: ['raw', 'enveloped'],
    program: process.execPath,
    parameters: [readmeReceiver()],
  },
  {
    name: 'examples/receiver',
    forms: ['raw', 'enveloped'],
    program: process.execPath,
    parameters: [join(root, 'examples/receiver/main.ts')],
  },
  {
    name: 'examples/receiver-python',
    forms: ['raw', 'enveloped'],
    program: join(python, 'python'),
    parameters: [join(root, 'examples/receiver-python/receiver.py')],
  },
  libraryReceiver('sns-validator', work),
  libraryReceiver('sns-payload-validator', work),
  ...Object.keys(expresses).map((name) =>
    frameworkReceiver('Express', createRequire(join(work, 'any.js')).resolve(name)),
  ),
  frameworkReceiver('Fastify', createRequire(import.meta.url).resolve('fastify')),
  frameworkReceiver('Next, App Router'),
];

const missingTools = async (work: string): Promise<string | undefined> => {
  const made = await outside('python3', ['-m', 'venv', join(python, '..')]);
  const requirements = join(root, 'examples/receiver-python/requirements.txt');
  const installed = made.ok
    ? await outside(join(python, 'pip'), ['install', '--quiet', '-r', requirements])
    : made;
  if (!installed.ok) return `Python, or cryptography, which pip downloads: ${installed.output}`;
  const names = Object.entries({ ...libraries, ...expresses }).map(([name, version]) => `${name}@${version}`);
  const fetched = await outside('npm', ['install', '--no-audit', '--no-fund', '--prefix', work, ...names]);
  return fetched.ok ? undefined : `${names.join(', ')}, which npm downloads: ${fetched.output}`;
};

/** The host that this library accepts is fixed in its code. Nothing else of the library is changed. */
const pointAtLocalHost = (work: string, host: string): void => {
  const file = join(work, 'node_modules/sns-payload-validator/lib/index.js');
  const code = readFileSync(file, 'utf8');
  const changed = code.replace(
    String.raw`sns\.[a-zA-Z0-9-]{3,}\.amazonaws\.com(\.cn)?`,
    host.replaceAll('.', '\\.'),
  );
  if (changed === code) throw new Error('sns-payload-validator has another pattern of hosts');
  writeFileSync(file, changed);
};

const until = async (condition: () => boolean, otherwise: () => string): Promise<void> => {
  const end = Date.now() + patienceMilliseconds;
  while (!condition()) {
    if (Date.now() > end) throw new Error(otherwise());
    await setTimeout(50);
  }
};

const judge = async (receiver: Receiver, form: Form, system: System): Promise<string | undefined> => {
  const { outputs } = system;
  const [application] = outputs.applications;
  const messages = await judgedMessages(system, form);
  let said = '';
  const child: ChildProcess = spawn(receiver.program, [...receiver.parameters], {
    cwd: mkdtempSync(join(tmpdir(), 'marquee-receiver-')),
    env: {
      ...process.env,
      TOPIC_ARN: outputs.topic_arn,
      SNS_HOST: new URL(outputs.aws_endpoint_url).host,
      NODE_EXTRA_CA_CERTS: outputs.ca_file,
      SSL_CERT_FILE: outputs.ca_file,
      API_URL_B2B: outputs.api_url_b2b,
      API_KEY: application?.api_key ?? '',
      PORT: '0',
      FORM: form,
      ...(form === 'enveloped' && { MAX_AGE_SECONDS: '300' }),
      ...receiver.environment,
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      said += chunk;
    });
  }
  const failed = (what: string): string => `${receiver.name}, ${form}: ${what}\n${said}`;
  const operator = async (...words: readonly string[]): Promise<void> => {
    const outputsFile = join(system.stateDirectory, 'outputs.json');
    const result = await outside(process.execPath, ['operator/main.ts', '--outputs', outputsFile, ...words], {
      cwd: root,
    });
    if (!result.ok) throw new Error(failed(`${words.slice(0, 2).join(' ')} failed: ${result.output}`));
  };
  try {
    const listening = /(?:Listening on|on port) (\d+)/;
    await until(
      () => listening.test(said),
      () => failed('does not listen'),
    );
    const url = `http://127.0.0.1:${listening.exec(said)?.[1]}/`;
    for (const [expected, posts] of [
      [403, messages.refused],
      [200, messages.accepted],
    ] as const) {
      for (const post of posts) {
        const { status } = await fetch(url, { method: 'POST', ...post });
        if (status !== expected) return failed(`answers ${status} instead of ${expected} to ${post.body}`);
      }
    }
    const id = application?.id ?? '';
    await operator(
      ...['subscriptions', 'add', id, url, '--wait', ...(form === 'raw' ? [] : ['--enveloped'])],
    );
    await operator('users', 'put', 'judge', '--application', id, '--data', `{"at":"${Date.now()}"}`);
    await until(
      () => /Read again (?!sub-1)|is now \{/.test(said),
      () => failed('hears of no change'),
    );
    await operator('subscriptions', 'remove', url, '--yes');
    return undefined;
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
};

/**
 * Tests receivers with the local SNS, and thereby the local SNS with the receivers. Each receiver must confirm its
 * subscription over HTTPS, be notified of a change, accept every message of the topic, and refuse messages that are
 * forged, from another topic or too old.
 */
export const checkReceivers = async (started: () => Promise<System>): Promise<Verdict> => {
  const work = mkdtempSync(join(tmpdir(), 'marquee-judges-'));
  try {
    const missing = await missingTools(work);
    if (missing !== undefined) return { missing };
    const system = await started();
    pointAtLocalHost(work, new URL(system.outputs.aws_endpoint_url).host);
    cpSync(
      fileURLToPath(new URL('programs/receivers/library.mjs', import.meta.url)),
      join(work, 'library.mjs'),
    );
    const findings: string[] = [];
    const tested = await outside(join(python, 'python'), ['-m', 'unittest'], {
      cwd: join(root, 'examples/receiver-python'),
    });
    if (!tested.ok) findings.push(`the tests of examples/receiver-python fail: ${tested.output}`);
    const cases = receiversIn(work).flatMap((receiver) => receiver.forms.map((form) => ({ receiver, form })));
    for (const { receiver, form } of cases) {
      const found = await judge(receiver, form, system).catch((error: unknown) => String(error));
      if (found !== undefined) findings.push(found);
    }
    return { checked: cases.length, findings };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
