import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@marquee/client';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generated } from '../../packages/client/build/generate.ts';
import { type ApiFault, apiFaults, startApiFaultProxy } from '../support/api-fault-proxy.ts';
import { type System, startSystem } from '../support/system.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const client = join(root, 'packages/client');
const run = promisify(execFile);
const compiler = createRequire(join(client, 'package.json')).resolve('typescript/bin/tsc');

let system: System;
/** A folder with nothing but the packed client, as a customer installs it. */
let consumer: string;

/** This Node, and the machine's own where it is another. */
const nodes = (): string[] => {
  const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' });
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const others = folders.flatMap((folder) => {
    try {
      return [[versionOf(join(folder, 'node')), join(folder, 'node')] as const];
    } catch {
      return [];
    }
  });
  return [
    ...new Map([
      [process.version, process.execPath] as const,
      ...others.map(([v, n]) => [v.trim(), n] as const),
    ]).values(),
  ];
};

const install = async (): Promise<void> => {
  const packages = ['openapi-fetch', 'openapi-typescript-helpers'];
  const { stdout } = await run(
    'npm',
    [
      'pack',
      '--json',
      '--pack-destination',
      consumer,
      client,
      ...packages.map((name) => join(root, 'node_modules', name)),
    ],
    { cwd: root },
  );
  const tarballs = (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  writeFileSync(join(consumer, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: consumer });
};

const environment = async () => {
  const { base_url, api_url_b2b, api_url_profile, applications } = system.outputs;
  return {
    ...process.env,
    BASE: base_url,
    B2B: api_url_b2b,
    PROFILE: api_url_profile,
    KEY: applications[0]?.api_key,
    TOKEN: await system.token({ sub: 'packed', client_id: applications[0]?.client_id ?? '' }),
  };
};

const contractsOf = () => {
  const { base_url: baseUrl, applications } = system.outputs;
  return createClient({ baseUrl, apiKey: applications[0]?.api_key ?? '' });
};

const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};

beforeAll(async () => {
  consumer = mkdtempSync(join(tmpdir(), 'marquee-consumer-'));
  [system] = await Promise.all([startSystem(), install()]);
});
afterAll(async () => {
  await system?.dispose();
  rmSync(consumer, { recursive: true, force: true });
});

describe('clients made of the document', () => {
  it('are compiled strictly, create, mint, list and read, and are refused by name', async () => {
    const node = process.execPath;
    cpSync(join(client, 'test/programs'), consumer, { recursive: true });
    writeFileSync(join(consumer, 'schema.ts'), (await generated())['schema.ts'] ?? '');
    await run(
      node,
      [
        '--import',
        join(client, 'build/typescript-5.mjs'),
        join(root, 'node_modules/@hey-api/openapi-ts/dist/run.mjs'),
        ...['-i', join(root, 'docs/openapi.json'), '-o', join(consumer, 'hey-api'), '--no-log-file'],
      ],
      { cwd: consumer },
    );
    // Node's own types, which a customer has from wherever they are.
    mkdirSync(join(consumer, 'node_modules/@types'));
    for (const name of ['@types/node', 'undici-types']) {
      cpSync(join(root, 'node_modules', name), join(consumer, 'node_modules', name), { recursive: true });
    }

    const compiled = await run(node, [compiler, '-p', '.'], { cwd: consumer }).catch((error) => error);
    expect(compiled.stdout).toBe('');

    const env = await environment();
    for (const program of ['openapi-fetch', 'hey-api', 'packed']) {
      await run(node, [`out/${program}.js`], { cwd: consumer, env });
    }
  });
});

interface Described {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly parameters: readonly { readonly name: string; readonly example?: string }[];
        readonly security: readonly object[];
        readonly requestBody?: {
          readonly content: { readonly 'application/json': { readonly example: unknown } };
        };
      }
    > & { readonly servers: readonly { readonly url: string }[] }
  >;
}

describe('the reference page', () => {
  const described = async (): Promise<Described> => {
    const response = await fetch(`${new URL(system.outputs.base_url).origin}/docs/openapi.json`);
    return (await response.json()) as Described;
  };

  it('has the addresses of this system, which a stage answers without a key', async () => {
    const { base_url, api_url_b2b, api_url_profile } = system.outputs;
    const response = await fetch(`${base_url}/openapi.json`);
    const { paths } = (await response.json()) as Described;

    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const urls = Object.values(paths).flatMap(({ servers }) => servers.map(({ url }) => url));
    expect(new Set(urls)).toEqual(new Set([base_url, api_url_b2b, api_url_profile]));
  });

  it('has every call prefilled so that it works: at once, or with what the page was loaded after', async () => {
    const [application] = system.outputs.applications;
    const token = await system.token({ sub: 'ana', client_id: application?.client_id ?? '' });
    const credentials: Record<string, Record<string, string>> = {
      apiKey: { 'x-api-key': application?.api_key ?? '' },
      accessToken: { authorization: `Bearer ${token}` },
    };
    const callAll = async (isChosen: (path: string) => boolean) => {
      const answers: Record<string, number> = {};
      for (const [path, { servers, ...methods }] of Object.entries((await described()).paths)) {
        for (const [method, { parameters, security, requestBody }] of Object.entries(methods)) {
          if (!isChosen(path)) continue;
          const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
            String(parameters.find((parameter) => parameter.name === name)?.example),
          );
          const body = requestBody?.content['application/json'].example;
          const response = await fetch(`${servers[0]?.url}${filled}`, {
            method: method.toUpperCase(),
            headers: {
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
              ...Object.assign(
                {},
                ...security.flatMap((way) => Object.keys(way)).map((name) => credentials[name]),
              ),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          answers[`${method} ${path} ${response.ok ? '' : await response.text()}`] = response.status;
        }
      }
      return answers;
    };

    const withoutIds = await callAll((path) => !path.includes('{'));
    const minted = await callAll((path) => path.endsWith('/mint'));
    const withIds = await callAll((path) => path.includes('{'));

    const failed = Object.entries({ ...withoutIds, ...minted, ...withIds }).filter(
      ([, status]) => status >= 300,
    );
    expect(failed).toEqual([]);
    expect(Object.keys(withoutIds).length).toBeGreaterThan(8);
  });
});

describe('the packed client', () => {
  it("does what its README's ten lines say, twice and in each Node, and makes each thing once", async () => {
    const [, lines = ''] =
      /```js\n(import \{ createClient \}.*?)```/s.exec(readFileSync(join(client, 'README.md'), 'utf8')) ?? [];
    writeFileSync(join(consumer, 'readme.js'), lines);
    const env = await environment();

    for (const node of nodes()) {
      const { stdout } = await run(node, ['readme.js'], { cwd: consumer, env });
      expect(stdout).toBe('1 Seat 1\n');
    }

    const contracts = await all(contractsOf().listContracts());
    expect(contracts.filter(({ name }) => name === 'Opening night')).toHaveLength(1);
  });

  it('is taken by a CommonJS program of the oldest Node that it promises', async () => {
    writeFileSync(
      join(consumer, 'required.cjs'),
      "console.log(typeof require('@marquee/client').createClient)",
    );

    for (const node of nodes()) {
      expect((await run(node, ['required.cjs'], { cwd: consumer })).stdout).toContain('function\n');
    }
  });

  it('is bundled for a browser, in at most 20 KB', async () => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: "export * from '@marquee/client';", resolveDir: consumer },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });

    expect(warnings).toEqual([]);
    expect(outputFiles[0]?.contents.length).toBeLessThanOrEqual(20 * 1024);
  });
});

describe('a client of a system that misbehaves', () => {
  it('makes each contract and token once, whatever becomes of its requests', async () => {
    const { base_url, applications } = system.outputs;
    const base = new URL(base_url);
    // Each fault in turn, and now and then a request that goes through.
    const program: (ApiFault | undefined)[] = [];
    for (const fault of apiFaults) program.push(fault, undefined);
    let at = 0;
    await using proxy = await startApiFaultProxy(base.origin, () => program[at++ % program.length]);
    const marquee = createClient({
      baseUrl: `${proxy.origin}${base.pathname}`,
      apiKey: applications[1]?.api_key ?? '',
      tryMilliseconds: 3_000,
      deadlineMilliseconds: 120_000,
    });

    const contract = await marquee.createContract({ name: 'Once', symbol: 'ONCE', chain: 'MATIC' });
    const names = Array.from({ length: 12 }, (_, index) => `Seat ${index + 1}`);
    for (const name of names) {
      await marquee.mintToken(contract.address, {
        destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        metadata: { name },
      });
    }
    const [contracts, tokens] = [
      await all(marquee.listContracts()),
      await all(marquee.listTokens(contract.address, { limit: 5 })),
    ];

    expect(proxy.seen()).toBeGreaterThan(names.length + apiFaults.length);
    expect(contracts.map(({ name }) => name)).toEqual(['Once']);
    expect(tokens.map(({ metadata }) => metadata.name).reverse()).toEqual(names);
    expect((await marquee.waitUntilConfirmed(contract)).is_confirmed).toBe(true);
  });
});
