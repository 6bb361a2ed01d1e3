import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CloudWatchClient, DescribeAlarmsCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Console, startConsole } from '../../operator/console/server.ts';
import { find } from '../../operator/find/find.ts';
import { stageFinder } from '../../operator/find/stage-finder.ts';
import type { Story } from '../../operator/find/story.ts';
import { stageChain } from '../../operator/nft/stage-chain.ts';
import { stageReader } from '../../operator/now/stage-now.ts';
import { createProgram } from '../../operator/program.ts';
import { findTarget, type Target } from '../../operator/target.ts';
import { callApi } from '../support/api-client.ts';
import { startCustomerEndpoint } from '../support/customer-endpoint.ts';
import { chromiumPath, startChromium } from '../support/ott/chromium.ts';
import { type System, startSystem } from '../support/system.ts';

const patience = { timeout: 100_000, interval: 500 };
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ignore = { remark: () => {} };

let system: System;
let target: Target;
let served: Console;

beforeAll(async () => {
  system = await startSystem();
  target = await findTarget({ stage: 'local', outputsFile: join(system.stateDirectory, 'outputs.json') });
  served = await startConsole(target, { port: 0, ...ignore });
});
afterAll(async () => {
  await served?.stop();
  await system?.dispose();
});

/** Rejects when it fails. */
const operator = (...argv: readonly string[]) =>
  promisify(execFile)(
    process.execPath,
    ['operator/main.ts', '--outputs', join(system.stateDirectory, 'outputs.json'), ...argv],
    { cwd: fileURLToPath(new URL('../../', import.meta.url)) },
  );

const contractsUrl = () => `${system.outputs.base_url}/api/v1/nft/contracts`;
const key = () => String(system.outputs.applications[0]?.api_key);
const deploy = async (idempotencyKey?: string) => {
  const { status, json } = await callApi<{ address: `0x${string}` }>(contractsUrl(), {
    key: key(),
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    body: { name: 'Tickets', symbol: 'TICKET', chain: 'MATIC' },
  });
  expect(status).toBe(201);
  return json.address;
};
const mint = async (contract: string) => {
  const { status, json } = await callApi<{ id: string }>(`${contractsUrl()}/${contract}/mint`, {
    key: key(),
    body: { destination: receiver, metadata: { name: 'Seat 1', attributes: [] } },
  });
  expect(status).toBe(201);
  return json.id;
};
const lookUp = (what: string): Promise<Story[]> => find(stageFinder(target, ignore), what);
const said = (story: Story | undefined) => story?.moments.map(({ what }) => what).join('\n') ?? '';
const hasStatus = (what: string, status: string) =>
  vi.waitFor(async () => expect((await lookUp(what))[0]?.fields.status).toBe(status), patience);

const rpc = async (method: string, ...params: readonly unknown[]) => {
  const { json } = await callApi<{ result: { baseFeePerGas: string } }>(system.outputs.chain_rpc_url, {
    body: { jsonrpc: '2.0', id: 1, method, params },
  });
  return json.result;
};
const gwei = 1_000_000_000n;

/** The base fee of every further block, of the one before, until it is called off. */
const setBaseFees = (next: (before: bigint) => bigint) => {
  const timer = setInterval(async () => {
    const { baseFeePerGas } = await rpc('eth_getBlockByNumber', 'latest', false);
    await rpc('anvil_setNextBlockBaseFeePerGas', `0x${next(BigInt(baseFeePerGas)).toString(16)}`);
  }, 100);
  return () => clearInterval(timer);
};
/** More than doubles with each block: what was admitted at the price of one is never in the next. */
const risingFees = (before: bigint) => {
  const after = before < 10n * gwei ? 10n * gwei : (before * 22n) / 10n;
  return after > 2_000n * gwei ? 2_000n * gwei : after;
};

/** A GET that a browser would not make: `fetch` sets Host and Origin itself. */
const get = (url: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; body: string; cookie: string }>((resolve, reject) => {
    const asked = request(url, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body,
          cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });

describe('the console', () => {
  it('gives nothing to who has no token, by another name, from another page or another machine', async () => {
    const own = await startConsole(target, { port: 0, ...ignore });
    const { origin, port } = new URL(own.url);
    const customers = `${origin}/console/api/customers`;

    const { status, cookie } = await get(own.url);
    expect(status).toBe(303);
    expect((await get(own.url)).status).toBe(403);
    const admitted = await get(customers, { cookie });
    expect(admitted).toMatchObject({ status: 200, body: expect.stringContaining('demo') });
    expect(admitted.body).not.toContain(key());
    const refused: Record<string, string>[] = [
      {},
      { cookie, host: `attacker.example:${port}` },
      { cookie, origin: 'https://attacker.example' },
      { cookie, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of refused) {
      expect(await get(customers, headers)).toMatchObject({ status: 403, body: '' });
    }
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    for (const { address } of others) {
      await expect(get(`http://${address}:${port}/console`)).rejects.toThrow(/ECONNREFUSED/);
    }
    await own.stop();
  });
});

describe('find', () => {
  let contract: `0x${string}`;

  beforeAll(async () => {
    contract = await deploy('find-me');
    await mint(contract);
    await hasStatus(`${contract}/1`, 'confirmed');
  });

  it('tells of a contract and a token what happened in time, and what nobody knows', async () => {
    const [ofContract] = await lookUp(contract);
    const [ofToken] = await lookUp(`${contract}/1`);

    expect(ofContract).toMatchObject({
      kind: 'contract',
      fields: { status: 'confirmed', application: 'demo' },
    });
    expect(ofToken).toMatchObject({ kind: 'token', fields: { status: 'confirmed', name: 'Seat 1' } });
    for (const story of [ofContract, ofToken]) {
      expect(said(story)).toMatch(/accepted and recorded[\s\S]*mined in block \d+/);
      // A block has a clock of its own.
      const ours = story?.moments.filter(({ what }) => !what.startsWith('mined in block')) ?? [];
      const times = ours.flatMap(({ at }) => at ?? []);
      expect(times).toEqual(times.toSorted());
      expect(story?.moments.filter(({ isGap }) => isGap)).not.toEqual([]);
    }
  });

  it('tells of a transaction by its hash and by its nonce', async () => {
    const [ofToken] = await lookUp(`${contract}/1`);
    const { transaction, nonce } = ofToken?.fields ?? {};

    const [ofHash] = await lookUp(String(transaction));
    const ofNonce = await lookUp(String(nonce));

    expect(ofHash).toMatchObject({ kind: 'transaction', fields: { does: 'mint', token: '1' } });
    expect(ofNonce.map(({ id }) => id)).toContain(ofHash?.id);
    expect(said((await lookUp(`0x${'ab'.repeat(32)}`))[0])).toContain('neither the chain');
  });

  it('tells what a key of idempotency made, and of a signer', async () => {
    expect(await lookUp('find-me')).toMatchObject([
      {
        kind: 'idempotency key',
        fields: { application: 'demo', state: 'done' },
        related: [contract, 'demo'],
      },
    ]);
    const [{ address } = { address: '' }] = await stageChain(target, ignore)
      .keys.list()
      .then((known) => Promise.all(known.map(async ({ signer }) => ({ address: await signer.address() }))));
    expect(await lookUp(address)).toMatchObject([{ kind: 'signer', fields: { number: 1 } }]);
  });

  it('tells of a user, of what an application calls it, and shows none of its data', async () => {
    const [user] = await lookUp('ana');
    const [called = ''] = user?.related ?? [];
    const [identifier] = await lookUp(called);

    expect(user).toMatchObject({ kind: 'user', fields: { state: 'registered' } });
    expect(identifier).toMatchObject({ kind: 'application_user_sub', fields: { user: 'ana' } });
    expect(JSON.stringify([user, identifier])).not.toContain('@');
  });

  it('tells of a notification that was given up, published again and delivered', async () => {
    let status = 404;
    const endpoint = await startCustomerEndpoint(({ headers }) =>
      headers['x-amz-sns-message-type'] === 'Notification' ? status : 200,
    );
    await operator('subscriptions', 'add', 'demo', endpoint.url);
    const confirmation = await vi.waitUntil(() => endpoint.posted[0], patience);
    await fetch(String(confirmation.body.SubscribeURL));
    await operator('users', 'put', 'ana', '--data', '{"club_id":"find-me"}');
    const storyOf = async () => {
      const [user] = await lookUp('ana');
      const stories = await Promise.all((user?.related ?? []).map(lookUp));
      return stories
        .flat()
        .find(({ kind, fields }) => kind === 'application_user_sub' && fields.application === 'demo');
    };
    await vi.waitFor(async () => expect(said(await storyOf())).toContain('a dead letter'), patience);
    const [shown] = await vi.waitFor(async () => {
      const { failing } = await stageReader(target, ignore).notifications();
      expect(failing).toHaveLength(1);
      return failing;
    }, patience);
    expect(shown).toMatchObject({ application: 'demo', endpoint: endpoint.url });

    status = 200;
    await operator('dead-letters', 'redrive', '--application', 'demo');

    await vi.waitFor(
      async () => expect(said(await storyOf())).toMatch(/published again for[\s\S]*delivered to/),
      patience,
    );
    await endpoint.stop();
  });

  it('tells of an event, of a customer by any of its names, and where requests are to be looked for', async () => {
    expect(await lookUp('cup-final')).toMatchObject([{ kind: 'event', fields: { title: 'Cup final' } }]);
    for (const name of ['demo', 'demo-web']) {
      expect(await lookUp(name)).toMatchObject([{ kind: 'customer', id: 'demo' }]);
    }
    const id = '0b5c9f9e-38f0-4ec3-9a5b-0123456789ab';
    expect(await lookUp(id)).toMatchObject([
      { kind: 'request', fields: { search: expect.stringContaining(id) }, moments: [{ isGap: true }] },
    ]);
    expect(await lookUp('nothing-goes-by-this')).toEqual([]);
  });
});

describe('a command that reads', () => {
  /** What it prints on standard output, run within this process. */
  const printedBy = async (argv: readonly string[]) => {
    const texts: string[] = [];
    const writes = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      texts.push(String(text));
      return true;
    });
    const remarks = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const outputs = join(system.stateDirectory, 'outputs.json');
    try {
      await createProgram().parseAsync(['--outputs', outputs, ...argv], { from: 'user' });
    } finally {
      writes.mockRestore();
      remarks.mockRestore();
    }
    return texts.join('');
  };

  it.each([
    ['status'],
    ['find', 'demo'],
    ['applications', 'list'],
    ['applications', 'show', 'demo'],
    ['applications', 'usage'],
    ['contracts', 'list', 'demo'],
    ['events', 'list'],
    ['events', 'show', 'cup-final'],
    ['events', 'why', 'cup-final', '--client', 'demo-web'],
    ['subscriptions', 'list'],
    ['dead-letters', 'list'],
    ['failed-changes', 'list'],
    ['signers'],
    ['transactions', 'list'],
    ['users', 'show', 'ana'],
  ])('prints one JSON document with --json before or after: %s %s', async (...words) => {
    const argv = words.filter((word) => word !== undefined);

    const before = JSON.parse(await printedBy(['--json', ...argv]));
    const after = JSON.parse(await printedBy([...argv, '--json']));

    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(await printedBy(argv)).not.toMatch(/^[[{]/);
  });
});

describe.skipIf(chromiumPath === undefined)(
  `the console in a browser${chromiumPath === undefined ? ' (there is no Chromium here: name one by CHROMIUM)' : ''}`,
  () => {
    let browser: Browser;
    let page: Page;
    const problems: string[] = [];

    beforeAll(async () => {
      browser = await startChromium();
      page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await page.goto(served.url);
    });
    afterAll(() => browser?.close());

    const open = async (hash: string) => {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    };

    /** The pictures of the operator guide are taken here: `CONSOLE_PICTURES=docs/images`. */
    const picture = async (name: string) => {
      const folder = process.env.CONSOLE_PICTURES;
      if (folder !== undefined) await page.screenshot({ path: join(folder, `console-${name}.png`) });
    };

    it('shows a queue that is stuck; what was withdrawn fails with all behind it, and a mint is replaced', {
      timeout: 240_000,
    }, async () => {
      const stable = await deploy();
      await hasStatus(stable, 'confirmed');
      let stop = setBaseFees(risingFees);
      const [withdrawn, held] = await vi.waitFor(
        async () => {
          const address = await deploy();
          await mint(address);
          return [address, `${stable}/${await mint(stable)}`] as const;
        },
        { timeout: 30_000 },
      );
      await page.locator('.strip .stuck').first().waitFor({ timeout: 60_000 });
      await page.getByText('stuck: nonce').first().waitFor();
      await picture('now');

      const [ofContract] = await lookUp(withdrawn);
      const { nonce, signer } = ofContract?.fields ?? {};
      const address = String(signer).split('#')[1] ?? '';
      await operator(
        'transactions',
        'cancel',
        String(nonce),
        '--signer',
        address,
        '--fee-ceiling',
        '5000',
        '--yes',
      );
      stop();
      stop = setBaseFees(() => 600n * gwei);
      await hasStatus(withdrawn, 'failed');
      await hasStatus(`${withdrawn}/1`, 'failed');
      await hasStatus(held, 'confirmed');
      stop();

      expect(said((await lookUp(withdrawn))[0])).toMatch(/withdrawn by an operator[\s\S]*CANCELLED/);
      expect(said((await lookUp(`${withdrawn}/1`))[0])).toContain('its contract failed: CANCELLED');
      expect(said((await lookUp(held))[0])).toMatch(/accepted and recorded[\s\S]*replaced for at most/);
      await open(`find/${held}`);
      await page.getByText('replaced for at most').first().waitFor();
      expect(await page.locator('.story .unknown').count()).toBeGreaterThan(0);
      await picture('find');
    });

    it('shows alarms that are on, with their runbook', async () => {
      await open('now');
      const cloudwatch = new CloudWatchClient(target.aws);
      const { MetricAlarms = [] } = await cloudwatch.send(new DescribeAlarmsCommand({}));
      const AlarmName = MetricAlarms.find(({ AlarmDescription }) =>
        AlarmDescription?.includes('#dead-letters'),
      )?.AlarmName;
      const set = (StateValue: 'ALARM' | 'OK') =>
        cloudwatch.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'A test' }));

      await set('ALARM');
      await page.getByText('docs/runbook.md#dead-letters').waitFor();
      await set('OK');
      await page.getByText('No alarm is on.').waitFor();
    });

    it('shows that an outside service is out', async () => {
      await callApi(`${system.outputs.entitlement_url}/behaviour`, { method: 'PUT', body: { mode: 'down' } });
      const token = await system.token({ sub: 'ana', client_id: 'demo-web' });
      for (let count = 0; count < 3; count += 1) {
        await callApi(`${system.outputs.base_url}/api/v3/ott/events/cup-final`, { token });
      }

      await vi.waitFor(
        async () => {
          const row = page.locator('#panel-services tr', { hasText: 'entitlement' });
          expect(Number(await row.locator('td').nth(1).textContent())).toBeGreaterThan(0);
        },
        { timeout: 130_000, interval: 1_000 },
      );
      await callApi(`${system.outputs.entitlement_url}/behaviour`, { method: 'PUT', body: { mode: 'ok' } });
    });

    it('draws what was measured over time', async () => {
      await open('over-time');

      await page.locator('.chart canvas').nth(7).waitFor();
      expect(await page.locator('.chart canvas').count()).toBe(8);
      await picture('over-time');
    });

    it('says which step refuses a stream', async () => {
      await open('customers/demo');
      await page.fill('#why [name=event]', 'cup-final');
      await page.selectOption('#why [name=viewer]', 'not-bought');
      await page.click('#why button');

      await page.locator('#verdict', { hasText: 'purchase required' }).waitFor();
      await page.locator('#why-result tr', { hasText: 'what the viewer bought' }).locator('.bad').waitFor();
    });

    it.each(['light', 'dark'] as const)(
      'fits a narrow window, %s, and asks nobody but itself',
      async (colorScheme) => {
        const elsewhere: string[] = [];
        page.on('request', (asked) => {
          if (!asked.url().startsWith(new URL(served.url).origin) && !asked.url().startsWith('data:'))
            elsewhere.push(asked.url());
        });
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 800, height: 900 });
        for (const view of ['now', 'over-time', 'find/cup-final', 'customers/demo']) {
          await open(view);
          await page.locator('#view section').nth(1).waitFor();

          const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(tooWide, view).toBeLessThanOrEqual(0);
        }
        expect(elsewhere).toEqual([]);
        expect(problems).toEqual([]);
      },
    );
  },
);
