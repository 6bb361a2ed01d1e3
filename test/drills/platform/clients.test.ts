import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@marquee/client';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { publint } from 'publint';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { generated } from '../../../packages/client/build/generate.ts';
import { judgedMessages, type Post } from '../../support/notifications/judged-messages.ts';
import { chromiumPath, startChromium } from '../../support/ott/chromium.ts';
import { type ApiFault, apiFaults, startApiFaultProxy } from '../../support/platform/api-fault-proxy.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { userDataOf } from '../../support/users/user-data-system.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const client = join(root, 'packages/client');
const run = promisify(execFile);
const compiler = createRequire(join(client, 'package.json')).resolve('typescript/bin/tsc');

const patience = { interval: 100 };

let system: System;
/** A folder with nothing but the packed client, as a customer installs it. */
let consumer: string;
/** The path of the tarball that would be published. */
let packed: string;

/** The Node that runs this test, and others on the `PATH` that have a different version. */
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
  packed = join(consumer, tarballs[0] ?? '');
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

describe('clients generated from the OpenAPI document, and the packed client', () => {
  it('compile in strict mode, create, mint, list and read, and report refused calls', async () => {
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
    // The programs need Node's types, which do not come with the client.
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

  it('contains the URLs of this system, which serves its OpenAPI document without an API key', async () => {
    const { base_url, api_url_b2b, api_url_profile } = system.outputs;
    const response = await fetch(`${base_url}/openapi.json`);
    const { paths } = (await response.json()) as Described;

    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const urls = Object.values(paths).flatMap(({ servers }) => servers.map(({ url }) => url));
    expect(new Set(urls)).toEqual(new Set([base_url, api_url_b2b, api_url_profile]));
  });

  it('prefills every call so that it works, some only after other calls and a reload of the page', async () => {
    const [application] = system.outputs.applications;
    const token = await system.token({ sub: 'ana', client_id: application?.client_id ?? '' });
    const credentials: Record<string, Record<string, string>> = {
      apiKey: { 'x-api-key': application?.api_key ?? '' },
      accessToken: { authorization: `Bearer ${token}` },
    };
    const callAll = async (isChosen: (path: string, method: string) => boolean) => {
      const answers: Record<string, number> = {};
      for (const [path, { servers, ...methods }] of Object.entries((await described()).paths)) {
        for (const [method, { parameters, security, requestBody }] of Object.entries(methods)) {
          if (!isChosen(path, method)) continue;
          const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
            String(parameters.find((parameter) => parameter.name === name)?.example),
          );
          const body = requestBody?.content['application/json'].example;
          const response = await fetch(`${servers[0]?.url}${filled}`, {
            method: method.toUpperCase(),
            headers: {
              ...(body !== undefined && { 'content-type': 'application/json' }),
              ...Object.assign(
                {},
                ...security.flatMap((way) => Object.keys(way)).map((name) => credentials[name]),
              ),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          answers[`${method} ${path} ${response.ok ? '' : await response.text()}`] = response.status;
        }
      }
      return answers;
    };

    const erases = (path: string, method: string) => path === '/user/data' && method === 'delete';
    const withoutIds = await callAll((path, method) => !path.includes('{') && !erases(path, method));
    const minted = await callAll((path) => path.endsWith('/mint'));
    const withIds = await callAll((path) => path.includes('{'));
    // The other calls need the user.
    const erased = await callAll(erases);

    const failed = Object.entries({ ...withoutIds, ...minted, ...withIds, ...erased }).filter(
      ([, status]) => status >= 300,
    );
    // The page has no wallet that could sign, so linking a wallet fails. The demonstration's collection promises that
    // no token is ever revoked, and has none that is reserved for a user. Calls of the catalogue need the key of an editor.
    const isOfEditors = ([call]: readonly [string, number]): boolean => call.includes('/ott/catalogue/');
    expect(failed.filter(isOfEditors).map(([, status]) => status)).toEqual([403, 403, 403, 403, 403]);
    const others = failed.filter((each) => !isOfEditors(each));
    expect(others.sort(([a], [b]) => a.localeCompare(b))).toEqual([
      [expect.stringMatching(/^get \/user\/tokens\/.*\/history .*NFT_NOT_FOUND/), 404],
      [expect.stringMatching(/^post .*\/revoke .*NOT_REVOCABLE/), 409],
      [expect.stringMatching(/^post \/user\/tokens\/.*\/claim .*NFT_NOT_FOUND/), 404],
      [expect.stringMatching(/^put .*\/destination .*NFT_NOT_RESERVED/), 409],
      [expect.stringMatching(/^put \/user\/wallets\/.*SIGNATURE_INVALID/), 403],
    ]);
    expect(Object.keys(withoutIds).length).toBeGreaterThan(8);
  });

  describe('in a browser', { skip: chromiumPath === undefined }, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startChromium();
    });
    afterAll(() => browser?.close());

    const opened = async (options: { readonly width: number; readonly colorScheme?: 'light' | 'dark' }) => {
      const { width, colorScheme = 'light' } = options;
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      await page.goto(`${new URL(system.outputs.base_url).origin}/docs#mintToken`);
      await page.locator('#mintToken .try').waitFor();
      return page;
    };

    it.each([
      [390, 'dark'],
      [1_400, 'light'],
    ] as const)(
      'is accessible at a width of %s pixels, %s, and shows each call on about two screens at most',
      async (width, colorScheme) => {
        const page = await opened({ width, colorScheme });
        await page.evaluate(
          readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
        );
        const calls: { readonly id: string; readonly height: number }[] = await page.evaluate(`
        (async () => {
          const calls = [...document.querySelectorAll('details.operation')];
          for (const each of calls) each.open = true;
          await new Promise((done) => setTimeout(done));
          return calls.map(({ id, offsetHeight }) => ({ id, height: offsetHeight }));
        })()`);
        const found = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))",
        );

        expect(calls.length).toBeGreaterThan(40);
        expect(calls.filter(({ height }) => height > 1_850)).toEqual([]);
        expect(found).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await page.close();
      },
    );

    it('sends a call by keyboard alone, and shows working client code for the same call', async () => {
      const page = await opened({ width: 1_400 });

      await page.locator('#mintToken > summary').focus();
      for (const key of ['Enter', 'Enter', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter'])
        await page.keyboard.press(key);

      await page.locator('#mintToken [role=status]', { hasText: '201 Created' }).waitFor();
      const sample =
        (await page.locator('#mintToken .try pre', { hasText: 'createClient' }).textContent()) ?? '';
      writeFileSync(join(consumer, 'sample.js'), sample);
      const { stdout } = await run(process.execPath, ['sample.js'], { cwd: consumer });
      expect(stdout).toContain('is_confirmed');
      await page.close();
    });

    it('shows exactly the values of the form in each code sample of each call', async () => {
      const page = await opened({ width: 1_400 });
      await page.fill('#apiKey', 'key-of-the-form');
      await page.fill('#accessToken', 'token-of-the-form');

      const samples: readonly {
        readonly of: string;
        readonly text: string;
        readonly empty: string;
        readonly filled: readonly string[];
      }[] = await page.evaluate(`(async () => {
        const calls = [...document.querySelectorAll('details.operation')];
        for (const call of calls) call.open = true;
        await new Promise((done) => setTimeout(done));
        const fill = (field, value) => {
          field.value = value;
          field.dispatchEvent(new Event('input', { bubbles: true }));
          return value;
        };
        return calls
          .filter((call) => call.querySelector('.try') !== null)
          .flatMap((call) => {
            const shown = () =>
              [...call.querySelectorAll('.try button[aria-pressed]')].map((button) => {
                button.click();
                return { of: call.id + ', ' + button.textContent, text: call.querySelector('.try pre').textContent };
              });
            const empty = shown();
            const filled = [...call.querySelectorAll('.try input')].map((field, index) => fill(field, '70' + index + '1'));
            const body = call.querySelector('.try textarea');
            if (body !== null) filled.push(JSON.parse(fill(body, '{"field":"of-the-body"}')).field);
            return shown().map((sample, index) => ({ ...sample, empty: empty[index].text, filled }));
          });
      })()`);
      const secured = Object.values((await described()).paths).flatMap(({ servers: _, ...methods }) =>
        Object.values(methods).filter(({ security }) => security.some((way) => Object.keys(way).length > 0)),
      );

      expect(samples.length).toBeGreaterThan(100);
      expect(
        samples.flatMap(({ of, text, filled }) =>
          filled.filter((value) => !text.includes(value)).map((value) => `${of} lacks ${value}`),
        ),
      ).toEqual([]);
      expect(samples.filter(({ empty }) => empty.includes('idempotencyKey')).map(({ of }) => of)).toEqual([]);
      expect(samples.filter(({ text }) => /(key|token)-of-the-form/.test(text))).toHaveLength(
        3 * secured.length,
      );
      await page.fill('#mintToken textarea', '{');
      await page.getByText('No sample: the body is not JSON').waitFor();
      await page.close();
    });

    it.each([
      ['take_over', ['getStream']],
      ['PUT royalty receiver', ['updateContractMetadata', 'setRoyalty']],
      ['WALLET_LIMIT_REACHED', ['linkWallet']],
      ['SubscribeURL', ['subscriptionConfirmation', 'unsubscribeConfirmation']],
      ['zebra', []],
    ])('finds calls and messages by the words %s', async (words, ids) => {
      const page = await opened({ width: 390 });

      await page.fill('#search', words);

      const shown = page.locator('details.operation:visible');
      await waitFor(async () => expect(await shown.count()).toBe(ids.length), patience);
      expect(await shown.evaluateAll((all) => all.map(({ id }) => id))).toEqual(ids);
      expect(await page.textContent('#found')).toMatch(
        ids.length === 0 ? /^Nothing found\. Search for another word/ : new RegExp(`^${ids.length} call`),
      );
      await page.fill('#search', '');
      await page.locator('#introduction').waitFor();
      await page.close();
    });
  });
});

describe('the packed client', () => {
  it('runs the ten lines of its README in each Node version, and creates each thing only once', async () => {
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

  it('has no problems that publint or "Are the types wrong?" reports', async () => {
    const tarball = readFileSync(packed);
    const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
    expect(messages).toEqual([]);

    const ofTheClient = createRequire(join(client, 'package.json'));
    const attw = join(dirname(ofTheClient.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js');
    const found = await run(process.execPath, [attw, packed, '--no-color']).catch((error) => error);
    expect(found.stdout).toContain('No problems found');
  });

  it('compiles and runs as ESM and as CommonJS', async () => {
    const folder = join(consumer, 'nodenext');
    mkdirSync(folder);
    const uses = [
      "const marquee: MarqueeClient = createClient({ apiKey: 'key' });",
      "const call: Promise<Contract> = marquee.getContract('');",
      'call.catch((error: unknown) => console.log(error instanceof MarqueeError, typeof createWebhooks));',
    ].join('\n');
    const names = 'createClient, MarqueeError, type Contract, type MarqueeClient';
    writeFileSync(
      join(folder, 'esm.mts'),
      `import { ${names} } from '@marquee/client';\nimport { createWebhooks } from '@marquee/client/notifications';\n${uses}`,
    );
    writeFileSync(
      join(folder, 'commonjs.cts'),
      `import client = require('@marquee/client');\nimport notifications = require('@marquee/client/notifications');\n` +
        `const { createClient, MarqueeError } = client;\nconst { createWebhooks } = notifications;\n` +
        `type Contract = client.Contract;\ntype MarqueeClient = client.MarqueeClient;\n${uses}`,
    );
    const options = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      types: ['node'],
      skipLibCheck: false,
    };
    const typeRoots = [join(root, 'node_modules/@types')];
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...options, typeRoots } }),
    );

    const compiled = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error);
    expect(compiled.stdout).toBe('');

    for (const node of nodes()) {
      for (const program of ['esm.mjs', 'commonjs.cjs']) {
        const { stdout, stderr } = await run(node, [program], { cwd: folder });
        expect([stdout, stderr]).toEqual(['true function\n', '']);
      }
    }
  });

  it.each([
    ['a browser', 'esnext'],
    ['Safari 15.4 and Chrome 87', ['chrome87', 'safari15.4']],
  ])('has at most 27 KB when it is bundled for %s', async (_, target) => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: "export * from '@marquee/client';", resolveDir: consumer },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target,
      write: false,
    });

    expect(warnings).toEqual([]);
    expect(outputFiles[0]?.contents.length).toBeLessThanOrEqual(27 * 1024);
  });
});

describe.each(nodes())('a receiver of notifications in %s', (node) => {
  /**
   * Starts a receiver as a process of its own and waits until it listens. `said` returns what the receiver has printed.
   */
  const start = async (file: string, given: Record<string, string>) => {
    const { topic_arn, api_url_b2b, aws_endpoint_url, ca_file } = system.outputs;
    const child = spawn(node, [file], {
      cwd: consumer,
      env: {
        TOPIC_ARN: topic_arn,
        SNS_HOST: new URL(aws_endpoint_url).host,
        NODE_EXTRA_CA_CERTS: ca_file,
        API_URL_B2B: api_url_b2b,
        API_KEY: system.outputs.applications[0]?.api_key,
        PORT: '0',
        ...given,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const port = await waitFor(() => {
      const [, found] = /(?:Listening on|on port) (\d+)/.exec(said) ?? [];
      if (found === undefined) throw new Error(`It does not listen: ${said}`);
      return found;
    });
    const post = async (message: Post) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...message })).status;
    return { post, url: `http://127.0.0.1:${port}/`, said: () => said };
  };

  const receivers: Record<
    string,
    () => Promise<{ readonly file: string; readonly heard: readonly RegExp[] }>
  > = {
    "the client's README": async () => {
      const [, lines = ''] =
        /```js\n(import \{ createServer \}.*?)```/s.exec(readFileSync(join(client, 'README.md'), 'utf8')) ??
        [];
      writeFileSync(join(consumer, 'receiver.js'), lines);
      return {
        file: 'receiver.js',
        heard: [
          /Read again sub-1/,
          /Look at 0x\w+ undefined/,
          /Look at 0x\w+ 1$/m,
          /Not known yet seat_moved/,
        ],
      };
    },
    'the example': async () => {
      await build({
        entryPoints: [join(root, 'examples/receiver/main.ts')],
        outfile: join(consumer, 'example.js'),
        bundle: true,
        platform: 'node',
        format: 'esm',
        external: ['@marquee/client'],
      });
      return {
        file: 'example.js',
        heard: [
          /sub-1 no longer exists/,
          /Received a contract_update/,
          /Received a token_update/,
          /Received a seat_moved/,
        ],
      };
    },
  };
  for (const [of, prepare] of Object.entries(receivers)) {
    it.each(['raw', 'enveloped'] as const)(
      `from ${of}, %s: accepts every operation of its topic, and rejects all other messages`,
      async (form) => {
        const { accepted, refused } = await judgedMessages(system, form);
        const { file, heard } = await prepare();
        const receiver = await start(
          file,
          form === 'raw' ? { FORM: form } : { FORM: form, MAX_AGE_SECONDS: '300' },
        );

        for (const message of refused) expect(await receiver.post(message), message.body).toBe(403);
        expect(receiver.said()).not.toMatch(/sub-1|Look at|Heard/);

        for (const message of accepted) expect(await receiver.post(message)).toBe(200);
        await waitFor(() => {
          for (const line of heard) expect(receiver.said()).toMatch(line);
        }, patience);
      },
    );
  }

  it('is subscribed by the operator, and receives a change from SNS', async () => {
    const [application] = system.outputs.applications;
    const receiver = await start('receiver.js', { FORM: 'enveloped' });
    const data = userDataOf(system);
    await data.operator('subscriptions', 'add', application?.id ?? '', receiver.url, '--enveloped');
    await waitFor(async () => {
      const listed = await data.operator('subscriptions', 'list', '--application', application?.id ?? '');
      expect(listed).toContainEqual(expect.objectContaining({ endpoint: receiver.url, state: 'confirmed' }));
    }, patience);

    await data.put('heard', { at: node }, application?.client_id ?? '');

    await waitFor(() => expect(receiver.said()).toMatch(/Read again \w+/), patience);
    await data.operator('subscriptions', 'remove', receiver.url, '--yes');
  });
});

describe.skipIf(chromiumPath === undefined)('the client on a page of another origin', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it.each(['include', undefined] as const)(
    'makes every call, and receives errors, with the credentials %s',
    async (credentials) => {
      const { base_url, api_url_profile, applications } = system.outputs;
      // The system allows requests with cookies from 127.0.0.1. The page is loaded from there and calls the APIs at
      // localhost, which is a different origin.
      const { origin } = new URL(base_url);
      const elsewhere = (url: string) => url.replace('127.0.0.1', 'localhost');
      const bundle = await build({
        stdin: { contents: "export * from '@marquee/client';", resolveDir: consumer },
        bundle: true,
        format: 'iife',
        globalName: 'client',
        platform: 'browser',
        minify: true,
        write: false,
      });
      // The player's page allows only its own scripts.
      const page = await browser.newPage({ bypassCSP: true });
      await page.goto(`${origin}/player`);
      await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
      const options = {
        baseUrl: elsewhere(base_url),
        apiUrlProfile: elsewhere(api_url_profile),
        accessToken: await system.token({
          sub: `page-${credentials}`,
          client_id: applications[0]?.client_id ?? '',
        }),
        credentials,
        deadlineMilliseconds: 20_000,
      };

      const seen = await page.evaluate(`(async () => {
      const marquee = client.createClient(${JSON.stringify(options)});
      const told = (call) => call.then(() => 'done', ({ name, code, requestId }) => ({ name, code, requestId }));
      const listed = [];
      for await (const { event_id } of marquee.listEvents({ limit: 2 })) listed.push(event_id);
      await marquee.putUserData({ user_data: { email: 'page@example.com' } });
      const version = await marquee.getUserDataVersion();
      await marquee.putUserData({ user_data: { is_club: 'yes' } }, { ifMatch: version.etag });
      return {
        listed: listed.length,
        event: (await marquee.getEvent('training-session')).event_id,
        stream: (await marquee.getStream('training-session')).type,
        email: (await marquee.getUserData()).user_data.email,
        sub: typeof (await marquee.getApplicationUserSub()),
        anonymous: (await client.createClient({ ...${JSON.stringify(options)}, accessToken: undefined, clientId: '${applications[0]?.client_id}' }).getEvent('training-session')).event_id,
        errors: [
          await told(marquee.getEvent('nothing')),
          await told(marquee.getStream('cup-final')),
          await told(marquee.getStream('nothing')),
          await told(marquee.putUserData({ user_data: {} }, { ifMatch: version.etag })),
          await told(client.createClient({ ...${JSON.stringify(options)}, accessToken: 'bad' }).getUserData()),
        ],
      };
    })()`);

      const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
      expect(seen).toEqual({
        listed: expect.any(Number),
        event: 'training-session',
        stream: 'hls',
        email: 'page@example.com',
        sub: 'string',
        anonymous: 'training-session',
        errors: [
          { name: 'NotFoundError', code: 'EVENT_NOT_FOUND', requestId },
          { name: 'ForbiddenError', code: 'PURCHASE_REQUIRED', requestId },
          { name: 'NotFoundError', code: 'EVENT_NOT_FOUND', requestId },
          { name: 'ConflictError', code: 'PRECONDITION_FAILED', requestId },
          { name: 'UnauthorizedError', code: 'UNAUTHORIZED', requestId },
        ],
      });
      expect((seen as { listed: number }).listed).toBeGreaterThan(2);
      await page.close();
    },
  );

  it('reports within twenty seconds that the browser blocks the stream for a page whose origin is not allowed', async () => {
    const { base_url, applications } = system.outputs;
    const bundle = await build({
      stdin: { contents: "export * from '@marquee/client';", resolveDir: consumer },
      bundle: true,
      format: 'iife',
      globalName: 'client',
      platform: 'browser',
      write: false,
    });
    const page = await browser.newPage({ bypassCSP: true });
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    // The system does not allow pages of localhost to play streams.
    const { origin } = new URL(base_url.replace('127.0.0.1', 'localhost'));
    await page.goto(`${origin}/docs`);
    await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
    const options = { baseUrl: base_url, clientId: applications[0]?.client_id, credentials: 'include' };
    const began = Date.now();

    const seen = await page.evaluate(`(async () => {
      const marquee = client.createClient(${JSON.stringify(options)});
      const event = await marquee.getEvent('training-session');
      return [event.event_id, await marquee.getStream('training-session').catch(({ message }) => message)];
    })()`);

    expect(seen).toEqual([
      'training-session',
      expect.stringContaining(`does not allow pages of ${origin} (CORS)`),
    ]);
    expect(Date.now() - began).toBeLessThan(20_000);
    // The tries, and twice two requests that find out why the browser has no response.
    expect(asked.filter((url) => url.endsWith('/training-session/stream')).length).toBeLessThan(15);
    await page.close();
  });
});

describe('the client with a system whose responses are lost or wrong', () => {
  it('creates each contract and token once, whatever happens to its requests', {
    timeout: 300_000,
  }, async () => {
    const { base_url, applications } = system.outputs;
    const base = new URL(base_url);
    // Every other request goes through. The rest meet each fault in turn.
    const program: (ApiFault | undefined)[] = [];
    for (const fault of apiFaults) program.push(fault, undefined);
    let at = 0;
    await using proxy = await startApiFaultProxy(base.origin, () => program[at++ % program.length]);
    const marquee = createClient({
      baseUrl: `${proxy.origin}${base.pathname}`,
      apiKey: applications[1]?.api_key ?? '',
      tryMilliseconds: 2_000,
      deadlineMilliseconds: 120_000,
    });

    const told: string[] = [];
    /** Repeats a call with the same key for as long as an intermediary answers it instead of the API. */
    const persistently = async <Made>(call: () => Promise<Made>): Promise<Made> => {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          const [reason] = /is redirected to|is not JSON/.exec(String(error)) ?? [];
          if (reason === undefined) throw error;
          told.push(reason);
        }
      }
    };

    const once = { name: 'Once', symbol: 'ONCE', chain: 'MATIC' } as const;
    const contract = await persistently(() => marquee.createContract(once, { idempotencyKey: 'once' }));
    const names = Array.from({ length: 16 }, (_, index) => `Seat ${index + 1}`);
    for (const name of names) {
      const seat = { destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', metadata: { name } };
      await persistently(() => marquee.mintToken(contract.address, seat, { idempotencyKey: name }));
    }
    const contracts = await persistently(() => all(marquee.listContracts()));
    const tokens = await persistently(() => all(marquee.listTokens(contract.address, { limit: 5 })));

    expect(proxy.seen()).toBeGreaterThan(names.length + apiFaults.length);
    expect(new Set(told)).toEqual(new Set(['is redirected to', 'is not JSON']));
    expect(proxy.wasFollowed()).toBe(false);
    expect(contracts.map(({ name }) => name)).toEqual(['Once']);
    expect(tokens.map(({ metadata }) => metadata.name).reverse()).toEqual(names);
    const confirmed = await persistently(() => marquee.waitUntilConfirmed(contract));
    expect(confirmed.is_confirmed).toBe(true);
  });
});
