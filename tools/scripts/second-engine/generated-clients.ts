import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { System } from '../../../test/support/platform/system.ts';
import { outside } from './outside.ts';
import { cacheDirectory, type Verdict } from './verdict.ts';

const versions = {
  openapiGenerator: '7.25.0',
  oapiCodegen: 'v2.8.2',
  oapiRuntime: 'v1.8.0',
  openapiPythonClient: '0.29.1',
};

const jar = join(cacheDirectory, `openapi-generator-cli-${versions.openapiGenerator}.jar`);
const python = join(cacheDirectory, `openapi-python-client-${versions.openapiPythonClient}`, 'bin');
const module = 'example.com/marquee/client';

type Step = () => ReturnType<typeof outside>;
type Environment = Readonly<Record<string, string>>;

interface Place {
  /** The folder that the client is generated into. It does not exist yet. */
  readonly folder: string;
  /** The file with the running system's OpenAPI document. */
  readonly document: string;
  /** The folder with the program that uses the client. */
  readonly program: string;
  readonly environment: Environment;
}

interface Generator {
  readonly name: string;
  /** What this machine must have, and what has to be downloaded. */
  readonly tools: Readonly<Record<string, Step>>;
  /** Generates the client, compiles it, and runs a program that uses it. */
  readonly steps: (place: Place) => readonly Step[];
}

const java = { Java: () => outside('java', ['-version']) };
const openapiGenerator = {
  ...java,
  'Maven, or openapi-generator, which it downloads': () =>
    outside('mvn', [
      '--batch-mode',
      '--quiet',
      'dependency:copy',
      `-Dartifact=org.openapitools:openapi-generator-cli:${versions.openapiGenerator}`,
      `-DoutputDirectory=${cacheDirectory}`,
    ]),
};
const go = { Go: () => outside('go', ['version']) };
const pythonTools = {
  'Python, or openapi-python-client, which pip downloads': async () => {
    const made = await outside('python3', ['-m', 'venv', join(python, '..')]);
    if (!made.ok) return made;
    return outside(join(python, 'pip'), [
      'install',
      '--quiet',
      `openapi-python-client==${versions.openapiPythonClient}`,
    ]);
  },
};

const generateWith =
  (language: string, { folder, document }: Place, options: readonly string[] = []): Step =>
  () =>
    outside('java', ['-jar', jar, 'generate', '-g', language, '-i', document, '-o', folder, ...options]);

const runGo = ({ folder, program, environment }: Place): Step[] => [
  async () => {
    cpSync(program, join(folder, 'program'), { recursive: true });
    return outside('go', ['mod', 'tidy'], { cwd: folder });
  },
  () => outside('go', ['build', './...'], { cwd: folder }),
  () => outside('go', ['run', './program'], { cwd: folder, env: { ...process.env, ...environment } }),
];

const runPython = ({ folder, program, environment }: Place): Step => {
  const env = { ...process.env, ...environment, PYTHONPATH: folder };
  return () => outside(join(python, 'python'), [join(program, 'program.py')], { env });
};

const generators: readonly Generator[] = [
  {
    name: 'openapi-generator go',
    tools: { ...go, ...openapiGenerator },
    steps: (place) => [
      generateWith('go', place, [
        ...['--git-host', 'example.com', '--git-user-id', 'marquee', '--git-repo-id', 'client'],
        '--additional-properties=packageName=marquee',
      ]),
      ...runGo(place),
    ],
  },
  {
    name: 'openapi-generator java',
    tools: openapiGenerator,
    steps: (place) => [
      generateWith('java', place),
      async () => {
        const { folder: cwd, program } = place;
        cpSync(program, join(cwd, 'src/main/java'), { recursive: true });
        const goals = ['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'];
        return outside('mvn', ['--batch-mode', '--quiet', ...goals], { cwd });
      },
      () => {
        const { folder: cwd, environment } = place;
        const classes = ['target/classes', 'target/dependency/*'].join(delimiter);
        return outside('java', ['-cp', classes, 'Program'], { cwd, env: { ...process.env, ...environment } });
      },
    ],
  },
  {
    name: 'openapi-generator python',
    tools: { ...openapiGenerator, ...pythonTools },
    steps: (place) => [
      generateWith('python', place, ['--additional-properties=packageName=marquee']),
      () =>
        outside(join(python, 'pip'), ['install', '--quiet', '-r', join(place.folder, 'requirements.txt')]),
      runPython(place),
    ],
  },
  {
    name: 'oapi-codegen',
    tools: go,
    steps: (place) => [
      async () => {
        const { folder, document } = place;
        mkdirSync(folder);
        writeFileSync(
          join(folder, 'go.mod'),
          `module ${module}\n\ngo 1.23\n\nrequire github.com/oapi-codegen/runtime ${versions.oapiRuntime}\n`,
        );
        return outside('go', [
          'run',
          `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${versions.oapiCodegen}`,
          ...['-generate', 'types,client', '-package', 'marquee'],
          ...['-o', join(folder, 'marquee.go'), document],
        ]);
      },
      ...runGo(place),
    ],
  },
  {
    name: 'openapi-python-client',
    tools: pythonTools,
    steps: (place) => [
      () => {
        const { folder, document } = place;
        mkdirSync(folder);
        // Calls that it cannot generate are only warnings. It formats what it makes with a program beside it.
        return outside(
          join(python, 'openapi-python-client'),
          [
            ...['generate', '--fail-on-warning', '--meta', 'none'],
            ...['--path', document, '--output-path', join(folder, 'marquee')],
          ],
          { env: { ...process.env, PATH: [python, process.env.PATH].join(delimiter) } },
        );
      },
      runPython(place),
    ],
  },
];

/** The first step that fails; `undefined` when none does. */
const failureOf = async (steps: readonly Step[]): Promise<string | undefined> => {
  for (const step of steps) {
    const { ok, output } = await step();
    if (!ok) return output;
  }
  return undefined;
};

const missingOf = async (tools: Generator['tools']): Promise<string | undefined> => {
  for (const [name, tool] of Object.entries(tools)) {
    const { ok, output } = await tool();
    if (!ok) return `${name}: ${output}`;
  }
  return undefined;
};

const checkGenerator = async (
  { name, tools, steps }: Generator,
  started: () => Promise<System>,
): Promise<Verdict> => {
  const missing = await missingOf(tools);
  if (missing !== undefined) return { missing };
  const system = await started();
  const { base_url, api_url_b2b, api_url_profile, applications } = system.outputs;
  const [application] = applications;
  const work = mkdtempSync(join(tmpdir(), 'marquee-generated-'));
  try {
    const document = join(work, 'openapi.json');
    writeFileSync(document, await (await fetch(`${base_url}/openapi.json`)).text());
    const failure = await failureOf(
      steps({
        folder: join(work, 'client'),
        document,
        program: fileURLToPath(new URL(`programs/${name.replace(' ', '-')}`, import.meta.url)),
        environment: {
          BASE: base_url,
          B2B: api_url_b2b,
          PROFILE: api_url_profile,
          KEY: application?.api_key ?? '',
          TOKEN: await system.token({ sub: name, client_id: application?.client_id ?? '' }),
          RECEIVER: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        },
      }),
    );
    return { checked: 1, findings: failure === undefined ? [] : [failure] };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/**
 * For each generator of clients in other languages: generates a client from the document of a running system, compiles
 * it, and calls the three APIs with it.
 */
export const generatedClients = (started: () => Promise<System>) =>
  generators.map(
    (generator) =>
      [
        generator.name.replace(' ', '-'),
        `a client that ${generator.name} makes of the OpenAPI document`,
        () => checkGenerator(generator, started),
      ] as const,
  );
