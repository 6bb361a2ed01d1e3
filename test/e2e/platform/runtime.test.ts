import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { identifyProcess } from 'template-runtime/processes/process-identity.ts';
import { waitUntil } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../../../local/options.ts';
import { findTarget } from '../../../operator/platform/target/target.ts';
import { openApiDocument } from '../../../tools/openapi/document.ts';
import { operations } from '../../../tools/openapi/operations.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { processTree, type System, startSystem } from '../../support/platform/system.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

const portOf = (url: string): number => Number(new URL(url).port);

const canListen = async (port: number): Promise<boolean> => {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  return true;
};

const allPorts = ({ outputs }: System): number[] =>
  [
    outputs.aws_endpoint_url,
    outputs.base_url,
    outputs.chain_rpc_url,
    outputs.oidc_issuer,
    outputs.entitlement_url,
    outputs.geolocation_url,
    outputs.distribution_url,
  ].map(portOf);

/** The processes that the runtime records for its next start: itself, and each engine that has its own process. */
const notedProcesses = (system: System): number[] =>
  readdirSync(join(system.stateDirectory, 'run')).map((file) => pidIn(system, file));

const pidIn = ({ stateDirectory }: System, file: string): number =>
  JSON.parse(readFileSync(join(stateDirectory, 'run', file), 'utf8')).pid;

const isGone = (pid: number): boolean => identifyProcess(pid) === undefined;

/** Runs `npm start` with these arguments until it exits. */
const runStart = async (args: readonly string[]) => {
  const child = spawn(process.execPath, ['local/main.ts', ...args], { cwd: root });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  const [code] = await once(child, 'exit');
  return { printed, code };
};

const paste = async (line: string): Promise<string> => (await run('sh', ['-c', line])).stdout;

interface Shown {
  readonly is_confirmed: boolean;
  readonly address: string;
}

interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** The route with the examples of the document in it. */
const exampleOf = (route: string, described: Described | undefined): string =>
  (described?.parameters ?? [])
    .filter((each) => each.in === 'path')
    .reduce((path, { name, example = 'none' }) => path.replace(`{${name}}`, example), route);

describe('npm start', () => {
  let system: System;

  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system?.dispose());

  /** An editor as `applications create --editor` makes it. */
  const newEditor = async () => {
    const outputs = join(system.stateDirectory, 'outputs.json');
    const words = [
      'operator/main.ts',
      '--outputs',
      outputs,
      '--json',
      'applications',
      'create',
      'desk',
      '--editor',
    ];
    const { stdout } = await run(process.execPath, words, { cwd: root });
    const target = await findTarget({ stage: 'local', outputsFile: outputs });
    return { target, editor: String(JSON.parse(stdout).api_key) };
  };

  const newest = async (): Promise<Shown | undefined> => {
    const { base_url, applications } = system.outputs;
    const response = await fetch(`${base_url}/api/v1/nft/contracts?limit=1`, {
      headers: { 'x-api-key': applications[0]?.api_key ?? '' },
    });
    const [first] = (await response.json()) as Shown[];
    return first;
  };

  it('prints three lines that create a collection, show it confirmed, and mint a token', async () => {
    const lines = system.printed().match(/^curl .*$/gm) ?? [];
    const [create = '', show = '', mint = ''] = lines;

    const created = JSON.parse(await paste(create));
    await waitUntil(async () => JSON.parse(await paste(show))[0].is_confirmed === true, { interval: 500 });
    const minted = JSON.parse(await paste(mint));

    expect(lines).toHaveLength(3);
    expect(created).toMatchObject({ name: 'First tickets', is_confirmed: false, status: 'pending' });
    expect(minted).toMatchObject({ id: '1', is_confirmed: false, metadata: { name: 'Seat 1' } });
  });

  it('prints the applications’ API keys and every address, as in outputs.json', () => {
    const { applications, ...addresses } = system.outputs;

    expect(applications.map(({ id }) => id)).toEqual(['demo', 'partner', 'arena']);
    expect(new Set(applications.map(({ api_key }) => api_key)).size).toBe(3);
    for (const { api_key } of applications) expect(system.printed()).toContain(api_key);
    expect(system.printed()).toMatch(/^Synthesizing the CDK app …\nDeploying 1 of \d+ resources …\n/);
    expect(Object.keys(addresses)).toEqual(
      expect.arrayContaining([
        'base_url',
        'api_url_b2b',
        'api_url_profile',
        'aws_endpoint_url',
        'chain_rpc_url',
        'oidc_issuer',
        'topic_arn',
        'dlq_url',
        'entitlement_url',
        'geolocation_url',
        'distribution_url',
      ]),
    );
  });

  it('creates a demonstration catalogue', async () => {
    const response = await fetch(`${system.outputs.base_url}/api/v3/ott/events/`);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event_id: 'cup-final', status: 'LIVE', access: 'paid' }),
      ]),
    );
  });

  it('names the option for a port that is occupied', async () => {
    const port = portOf(system.outputs.base_url);

    const { printed, code } = await runStart([
      '--port-api',
      String(port),
      '--port-aws',
      '0',
      '--port-chain',
      '0',
    ]);

    expect(printed).toContain(`Port ${port} is taken by another program. --port-api chooses another one`);
    expect(code).toBe(1);
  });

  it('uses the same ports at the next start', () => {
    const { ports } = parseOptions(['--state-dir', system.stateDirectory]);

    expect(Object.values(ports).toSorted()).toEqual(allPorts(system).toSorted());
  });

  it('prints where it already runs, whatever ports a second start requests', async () => {
    const free = ['aws', 'api', 'chain', 'oidc', 'entitlement', 'geolocation'].flatMap((name) => [
      `--port-${name}`,
      '0',
    ]);

    const { printed, code } = await runStart([...free, '--state-dir', system.stateDirectory]);

    expect(printed).toMatch(/already runs here \(process \d+\)/);
    expect(printed).toContain(system.outputs.base_url);
    expect(printed).toContain('--state-dir');
    expect(code).toBe(1);
  });

  it('explains what to do if its folder is not writable', async () => {
    const folder = join(root, 'package.json', 'state');

    const { printed, code } = await runStart(['--port-api', '0', '--port-aws', '0', '--state-dir', folder]);

    expect(printed).toContain(
      `The folder ${folder} cannot be written (ENOTDIR). Choose another one with --state-dir`,
    );
    expect(code).toBe(1);
  });

  it('redirects from its root to the documentation', async () => {
    const { origin } = new URL(system.outputs.base_url);

    const response = await fetch(`${origin}/`, { redirect: 'manual' });

    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/docs');
    expect(await (await fetch(`${origin}/docs`)).text()).toContain('/docs/reference.js');
    expect(system.printed()).toContain(`${origin}/docs`);
    expect(system.printed()).toContain('npm run demo');
  });

  it('answers HEAD wherever it answers a GET that needs no API key, with the same headers and without the body', async () => {
    const { base_url: base, api_url_profile: profile, oidc_issuer: issuer } = system.outputs;
    const form = new URLSearchParams({ sub: 'head', client_id: 'demo-web' });
    const issued = await fetch(`${issuer}/token`, { method: 'POST', body: form });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const authorization = `Bearer ${token}`;
    const document = await callApi<{ paths: Record<string, { get?: { security: object[] } }> }>(
      `${base}/openapi.json`,
    );
    const open = Object.entries(document.json.paths).flatMap(([path, { get }]) =>
      get === undefined || get.security.some((way) => 'apiKey' in way) ? [] : [path],
    );

    expect(open).toEqual(
      expect.arrayContaining([
        '/openapi.json',
        '/api/v1/nft/contracts/{contract_address}/metadata',
        '/api/v1/nft/contracts/{contract_address}/metadata/{id}',
        '/api/v3/ott/events/',
        '/user/data',
      ]),
    );
    for (const path of open) {
      const url = `${path.startsWith('/user/') ? profile : base}${path.replace('{event_id}', 'cup-final').replace(/\{\w+\}/g, '1')}`;
      const [got, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(url, { method, headers: { authorization } })),
      );
      expect([path, head?.status]).toEqual([path, got?.status]);
      expect(head?.headers.get('content-type')).toBe(got?.headers.get('content-type'));
      expect(await head?.text()).toBe('');
      await got?.arrayBuffer();
    }
  });

  it('protects keys, the AWS endpoint and the fakes from pages of other sites', async () => {
    const { base_url, aws_endpoint_url, chain_rpc_url, topic_arn, oidc_issuer } = system.outputs;
    const { entitlement_url, geolocation_url } = system.outputs;
    const { origin } = new URL(base_url);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const publish = String(new URLSearchParams({ Action: 'Publish', TopicArn: topic_arn, Message: '{}' }));
    const script = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'script',
    };
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const evil = { origin: 'https://evil.example', ...form };
    const send = (
      url: string,
      { method = 'GET', headers, body }: { method?: string; headers: Record<string, string>; body?: string },
    ) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(url, { method, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end(body);
      });

    const attacks = [
      [`${origin}/player/settings.js`, { headers: script }],
      [`${origin}/docs/settings.json`, { headers: { origin: 'https://evil.example' } }],
      [`${origin}/player/settings.js`, { headers: { host: 'evil.example:3000' } }],
      [`${base_url}/api/v3/ott/events/`, { headers: { host: 'evil.example:3000' } }],
      [`${aws_endpoint_url}/`, { method: 'POST', headers: evil, body: publish }],
      [`${aws_endpoint_url}/?${publish}`, { headers: link }],
      [`${aws_endpoint_url}/`, { method: 'POST', headers: { ...form, host: 'evil.example' }, body: publish }],
      [
        chain_rpc_url,
        { method: 'POST', headers: { ...evil, 'content-type': 'application/json' }, body: '{}' },
      ],
      [`${oidc_issuer}/rotate`, { method: 'POST', headers: evil, body: '' }],
      [`${oidc_issuer}/token`, { method: 'POST', headers: evil, body: 'sub=ana&client_id=demo-web' }],
      [`${entitlement_url}/users/ana`, { headers: { host: 'evil.example' } }],
      [`${geolocation_url}/behaviour`, { headers: { origin: 'null' } }],
    ] as const;
    const statuses = await Promise.all(attacks.map(([url, options]) => send(url, options)));

    expect(statuses).toEqual(attacks.map(() => 403));
    expect(await send(`${origin}/player`, { headers: link })).toBe(200);
    const player = await fetch(`${origin}/player`);
    expect([player.status, player.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
    const settings = await fetch(`${origin}/player/settings.js`);
    expect([settings.status, settings.headers.get('cross-origin-resource-policy')]).toEqual([
      200,
      'same-origin',
    ]);
  });

  it('accepts each kind of key for its own calls, and for no others', async () => {
    const { target, editor } = await newEditor();
    const customer = system.outputs.applications[0]?.api_key ?? '';
    const keys = { none: undefined, unknown: 'no-key-of-anybody-at-all', customer, editor };
    const wanted = { 'api-key': 'customer', 'editor-key': 'editor' } as const;
    const addresses = {
      base: target.output('BaseUrl'),
      b2b: target.output('ApiUrlB2b'),
      profile: target.output('ApiUrlProfile'),
    };
    const document = openApiDocument(operations) as unknown as Document;

    const wrong: string[] = [];
    let tried = 0;
    for (const { api, method, route, documentedRoute = route, security } of operations) {
      const described = document.paths[documentedRoute]?.[method.toLowerCase()];
      const url = `${addresses[api]}${exampleOf(route, described)}`;
      const example = described?.requestBody?.content['application/json']?.example;
      const headers = { 'if-none-match': '*' };
      const statusWith = async (key: string | undefined, body: unknown) =>
        (
          await callApi(url, {
            method,
            headers,
            ...(key && { key }),
            ...(described?.requestBody && { body }),
          })
        ).status;
      const open =
        security === 'api-key' || security === 'editor-key' ? undefined : await statusWith(undefined, {});
      for (const [kind, key] of Object.entries(keys)) {
        tried += 1;
        const isWanted = open === undefined && kind === wanted[security as keyof typeof wanted];
        // An empty body is refused before it does anything. With any other key, not even a valid one is.
        const status = await statusWith(key, isWanted || open !== undefined ? {} : example);
        const isRight = open !== undefined ? status === open : isWanted ? status !== 403 : status === 403;
        if (!isRight) wrong.push(`${method} ${route} with the key ${kind}: ${status}`);
      }
    }

    expect(wrong).toEqual([]);
    expect(tried).toBe(4 * operations.length);
  });

  it('rejects an unknown option, and a file that contains no certificate', async () => {
    const unknown = await runStart(['--prot-api', '0']);
    const noCertificate = await runStart(['--trust-ca', join(root, 'package.json')]);

    expect(unknown.code).toBe(1);
    expect(noCertificate.printed).toContain('(--trust-ca) does not contain a certificate in PEM format');
    expect(noCertificate.code).toBe(1);
  });

  it('restores its collections, keys and chain after all its processes were killed', async () => {
    const before = await newest();

    await system.kill();
    await system.start();

    expect(before).toBeDefined();
    expect(await newest()).toEqual(before);
  });

  it('leaves no child process and no port when only the main process is killed', async () => {
    const noted = notedProcesses(system);
    const [main = 0, ...children] = processTree(pidIn(system, 'runtime.json'));

    process.kill(main, 'SIGKILL');

    await waitUntil(() => [...noted, ...children].every(isGone));
    await waitUntil(async () => (await Promise.all(allPorts(system).map(canListen))).every(Boolean));
  });
});
