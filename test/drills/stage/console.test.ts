import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CloudWatchClient, DescribeAlarmsCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import type { Browser, Page } from 'playwright-core';
import { waitFor, waitUntil } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageChain } from '../../../operator/nft/chain/stage-chain.ts';
import { findTarget, type Target } from '../../../operator/platform/target/target.ts';
import { startConsole } from '../../../operator/stage/console/server.ts';
import type { Timeline } from '../../../operator/stage/find/timeline.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { chromiumPath, startChromium } from '../../support/ott/chromium.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { patience, said, scenesOf } from '../../support/stage/console/scenes.ts';
import {
  type Followed,
  get,
  startWatchedConsole,
  type WatchedConsole,
} from '../../support/stage/console/watched-console.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const ignore = { remark: () => {} };
/** The shortest pause between two readings of a panel. Changes in tables therefore show within five seconds. */
const pauseMilliseconds = 4_000;

/** Metrics of functions show within 15 seconds, and changes in tables sooner. A busy machine gets twice that time. */
const soon = { timeout: 30_000 };
/** Gaps in timelines that are expected, because no table stores these facts. */
const realGaps =
  /who changed the application and when|only the last change is recorded, not the time of registration or earlier changes|when the application got this identifier/;
const matching = (texts: readonly (string | RegExp)[]) => texts.map((text) => expect.stringMatching(text));

type Scenes = ReturnType<typeof scenesOf>;

let system: System;
let target: Target;
let scenes: Scenes;
/** A confirmed collection, created with the idempotency keys `find-me`, `find-my-batch` and `find-my-update`. */
let contract: string;
/** Endpoints of `demo` and of `partner`. Each refuses notifications until a test calls its `recover`. */
let endpoint: Awaited<ReturnType<Scenes['failingEndpoint']>>;
let hopeless: Awaited<ReturnType<Scenes['failingEndpoint']>>;
/** An endpoint of `demo` for the outcomes of transactions. Without a subscriber, they would not be published. */
let chainEndpoint: Awaited<ReturnType<Scenes['chainEndpoint']>>;
let walked: string;
const collectionOfWalk = () => /Create a collection +(0x\w+)/.exec(walked)?.[1] ?? '';
/** A console that is open before anything happens. From `closedAt` on, no page shows it. */
let early: WatchedConsole;
let earlyShown: Followed['shown'];
let closedAt: number;
let stuck: Promise<Awaited<ReturnType<Scenes['stuckQueue']>>>;

beforeAll(async () => {
  system = await startSystem();
  const outputsFile = join(system.stateDirectory, 'outputs.json');
  target = await findTarget({ stage: 'local', outputsFile });
  scenes = scenesOf(system, target, outputsFile);
  early = await startWatchedConsole(target);
  const followed = early.follow((await get(early.url)).cookie);
  earlyShown = followed.shown;

  chainEndpoint = await scenes.chainEndpoint('demo');
  [contract, [endpoint, hopeless], walked] = await Promise.all([
    scenes.collection(),
    Promise.all([scenes.failingEndpoint('demo'), scenes.failingEndpoint('partner')]),
    scenes.demonstration(),
  ]);
  await scenes.operator('users', 'put', 'ana', '--data', '{"club_id":"find-me"}');
  await Promise.all([scenes.failing(endpoint.url), scenes.failing(hopeless.url)]);
  // Not awaited here: a queue counts as stuck only after a while.
  stuck = scenes.stuckQueue(contract);
  stuck.catch(() => {});

  await waitUntil(() => readingsOf('signers').length > 2 && readingsOf('notifications').length > 2, patience);
  followed.stop();
  closedAt = Date.now();
}, 240_000);
afterAll(async () => {
  await scenes?.end();
  await Promise.all([early?.stop(), chainEndpoint?.stop(), endpoint?.stop(), hopeless?.stop()]);
  await system?.dispose();
});

const readingsOf = (panel: string) => earlyShown.filter((shown) => shown.panel === panel);
const metricsAsked = ({ asked }: WatchedConsole): number =>
  asked
    .filter(({ operation }) => operation === 'GetMetricData')
    .reduce((sum, { body }) => sum + JSON.parse(body).MetricDataQueries.length, 0);

describe('the console', () => {
  it('rejects requests without a token, with another host name, from another page or from another machine', async () => {
    const own = await startConsole(target, { port: 0, ...ignore });
    const { origin, port } = new URL(own.url);
    const customers = `${origin}/console/api/customers`;

    const { status, cookie } = await get(own.url);
    expect(status).toBe(200);
    expect(await get(own.url)).toMatchObject({
      status: 403,
      body: expect.stringContaining('opens the console once, in one browser'),
    });
    const admitted = await get(customers, { cookie });
    expect(admitted).toMatchObject({ status: 200, body: expect.stringContaining('demo') });
    expect(admitted.body).not.toContain(String(system.outputs.applications[0]?.api_key));
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

  it('reads a panel again after four seconds, and reads tables at most once a second per panel', () => {
    const tables = {
      signers: /"TableName":"[^"]*(Signers|Transactions)/,
      notifications: /"TableName":"[^"]*Endpoints/,
    };
    for (const [panel, table] of Object.entries(tables)) {
      const readings = readingsOf(panel);
      const pauses = readings.slice(1).map(({ begunAt }, index) => begunAt - (readings[index]?.begunAt ?? 0));
      const calls = early.asked.filter(({ body }) => table.test(body)).length;

      expect(readings.filter(({ failure }) => failure !== undefined)).toEqual([]);
      expect(calls, panel).toBeGreaterThanOrEqual(readings.length);
      // The result of a last reading may not have been shown before the page was closed.
      expect(calls, panel).toBeLessThanOrEqual((readings.length + 1) * (pauseMilliseconds / 1_000));
      // Node's timers can fire early, and the clock of the machine can be corrected.
      expect(Math.min(...pauses), panel).toBeGreaterThanOrEqual(pauseMilliseconds - 50);
    }
  });

  it('requests at most a hundred metrics a minute, whatever is viewed', async () => {
    const own = await startWatchedConsole(target, { isClockStopped: true });
    const { cookie } = await get(own.url);
    const overTime = async (range: string) => {
      const { body } = await get(new URL(`/console/api/over-time?range=${range}`, own.url).href, { cookie });
      return JSON.parse(body);
    };

    const followed = own.follow(cookie);
    await followed.next('services');
    for (const range of ['hour', 'hour', 'day', 'week']) await overTime(range);
    const asked = metricsAsked(own);
    const refused = await overTime('week');
    own.skip(60_000);
    const later = await overTime('week');
    followed.stop();

    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(100);
    expect(refused).not.toHaveProperty('at');
    expect(later).toHaveProperty('at');
    expect(metricsAsked(own) - asked).toBeLessThanOrEqual(100);
    await own.stop();
  });
});

describe('the command "find"', () => {
  const lookUp = (what: string) => scenes.lookUp(what);

  it('shows the complete history of a contract and of a token in order', async () => {
    const [ofContract] = await lookUp(contract);
    const [ofToken] = await lookUp(`${contract}/1`);

    expect(ofContract).toMatchObject({
      kind: 'contract',
      fields: { status: 'confirmed', application: 'demo' },
    });
    expect(ofToken).toMatchObject({ kind: 'token', fields: { status: 'confirmed', name: 'Seat 1' } });
    for (const timeline of [ofContract, ofToken]) {
      expect(said(timeline)).toMatch(
        /accepted and recorded[\s\S]*mined in block \d+[\s\S]*confirmed at finality[\s\S]*published: confirmed/,
      );
      // The times of blocks come from the chain's clock, so they may be out of order.
      const ours = timeline?.moments.filter(({ what }) => !/^(nonce \d+: )?mined in block/.test(what)) ?? [];
      const times = ours.flatMap(({ at }) => at ?? []);
      expect(times).toEqual(times.toSorted());
      expect(timeline?.moments.filter(({ isUnknown }) => isUnknown)).toEqual([]);
    }
  });

  it('shows a transaction by its hash and by its nonce', async () => {
    const [ofToken] = await lookUp(`${contract}/1`);
    const { transaction, nonce } = ofToken?.fields ?? {};

    const [ofHash] = await lookUp(String(transaction));
    const ofNonce = await lookUp(String(nonce));

    expect(ofHash).toMatchObject({ kind: 'transaction', fields: { does: 'mint', token: '1' } });
    expect(ofNonce.map(({ id }) => id)).toContain(ofHash?.id);
    expect(said((await lookUp(`0x${'ab'.repeat(32)}`))[0])).toContain(
      'the chain has no transaction with this hash',
    );
  });

  it('shows a batch, a change of metadata and a change of the royalty', async () => {
    const [batch] = await lookUp('find-my-batch');
    const [update] = await lookUp('find-my-update');
    const [ofContract] = await lookUp(contract);
    const [token] = await lookUp(`${contract}/3`);
    const [ofBatch] = await lookUp(String(token?.fields.transaction));
    const royalties = await lookUp(String(ofContract?.fields.royalty_nonce));

    const tokens = [`${contract}/2`, `${contract}/3`];
    expect(batch).toMatchObject({ kind: 'idempotency key', related: [...tokens, 'demo'] });
    expect(said(batch)).toContain(`created ${tokens.join(' to ')}`);
    expect(said(update)).toContain(`changed ${tokens.join(' to ')}`);
    expect(ofBatch).toMatchObject({ fields: { does: 'mint', token: '2–3' } });
    expect(said(ofBatch)).toContain('mint of tokens 2–3');
    expect(royalties.map(({ fields }) => fields.does)).toContain('set-royalty');
    expect(said(ofContract)).toMatch(
      /set-royalty, to 2.5 % for 0x7099[\s\S]*published: confirmed \(royalty\)/,
    );
    const before = Array.from({ length: 10 }, (_, index) =>
      lookUp(String(Number(ofContract?.fields.royalty_nonce) - 1 - index)),
    );
    const updates = (await Promise.all(before))
      .flat()
      .filter(({ fields }) => fields.does === 'update-metadata');
    expect(updates.map(({ fields }) => fields.token)).toEqual(['2–3']);
    expect(said(updates[0])).toMatch(/update-metadata of tokens 2–3[\s\S]*confirmed at finality/);
  });

  it('shows what an idempotency key has created, and shows a signer', async () => {
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

  it("shows a user and an application's identifier of the user, without user data", async () => {
    const [user] = await lookUp('ana');
    const [called = ''] = user?.related ?? [];
    const [identifier] = await lookUp(called);

    expect(user).toMatchObject({ kind: 'user', fields: { state: 'registered' } });
    expect(identifier).toMatchObject({ kind: 'application_user_sub', fields: { user: 'ana' } });
    expect(JSON.stringify([user, identifier])).not.toContain('@');
  });

  it('shows a notification that was dead-lettered, published again and delivered', async () => {
    const timelineOf = async () => {
      const [user] = await lookUp('ana');
      const timelines = await Promise.all((user?.related ?? []).map(lookUp));
      return timelines
        .flat()
        .find(({ kind, fields }) => kind === 'application_user_sub' && fields.application === 'demo');
    };
    const givenUp = said(
      await waitFor(async () => {
        const timeline = await timelineOf();
        expect(said(timeline)).toContain('a dead letter');
        return timeline;
      }, patience),
    );
    const [, messageId = ''] = /\(message ([\w-]+)\)\nSNS gave up/.exec(givenUp) ?? [];
    expect(await lookUp(messageId)).toMatchObject([
      { kind: 'notification', id: messageId, fields: { status: 'failed', application: 'demo' } },
    ]);

    endpoint.recover();
    await scenes.operator('dead-letters', 'redrive', '--application', 'demo');

    await waitFor(
      async () => expect(said(await timelineOf())).toMatch(/published again for[\s\S]*delivered to/),
      patience,
    );
    expect(said((await lookUp(messageId))[0])).toContain('published again for');
  });

  it('shows a dead letter by its message id', async () => {
    const [letter] = JSON.parse(await scenes.operator('--json', 'dead-letters', 'list'));

    expect(await lookUp(letter.message_id)).toMatchObject([
      {
        kind: 'dead letter',
        fields: { application: 'partner', about: letter.subject, date_time: letter.date_time },
        related: [letter.subject, 'partner'],
      },
    ]);
    expect(said((await lookUp(letter.message_id))[0])).toMatch(
      /SNS gave up on[\s\S]*arrived in the dead-letter queue/,
    );
  });

  it('shows an event, a customer by any of its names, and where to search for a request id', async () => {
    expect(await lookUp('cup-final')).toMatchObject([{ kind: 'event', fields: { title: 'Cup final' } }]);
    for (const name of ['demo', 'demo-web']) {
      expect(await lookUp(name)).toMatchObject([{ kind: 'customer', id: 'demo' }]);
    }
    const id = '0b5c9f9e-38f0-4ec3-9a5b-0123456789ab';
    expect(await lookUp(id)).toMatchObject([
      { kind: 'request', fields: { search: expect.stringContaining(id) }, moments: [{ isUnknown: true }] },
    ]);
    expect(await lookUp(hopeless.url)).toMatchObject([
      { kind: 'endpoint', fields: { state: 'failing', application: 'partner' } },
    ]);
    expect(await lookUp('nothing-goes-by-this')).toEqual([]);
  });
});

describe('a command that only reads', () => {
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
  ])('prints one JSON document, with --json before or after its name (%s %s)', async (...words) => {
    const argv = words.filter((word) => word !== undefined);

    const before = JSON.parse(await scenes.operator('--json', ...argv));
    const after = JSON.parse(await scenes.operator(...argv, '--json'));

    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(await scenes.operator(...argv)).not.toMatch(/^[[{]/);
  });
});

describe.skipIf(chromiumPath === undefined)(
  `the console in a browser${chromiumPath === undefined ? ' (there is no Chromium here: name one by CHROMIUM)' : ''}`,
  () => {
    let browser: Browser;
    let page: Page;
    let served: WatchedConsole;
    let followed: Followed;
    let released: Promise<void>;
    const problems: string[] = [];

    beforeAll(async () => {
      browser = await startChromium();
      served = await startWatchedConsole(target);
      page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
      // A link in another site, such as a web mail: to the browser, localhost is another site than 127.0.0.1.
      await page.goto(system.outputs.base_url.replace('127.0.0.1', 'localhost'));
      await page.setContent(`<a href="${served.url}">Open the console</a>`);
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await page.getByText('Open the console').click();
      await page.getByRole('link', { name: 'Now' }).waitFor();
      const [{ name, value } = { name: '', value: '' }] = await page.context().cookies();
      followed = served.follow(`${name}=${value}`);
    });
    afterAll(async () => {
      followed?.stop();
      await browser?.close();
      await served?.stop();
    });

    const open = async (hash: string) => {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    };
    const row = (panel: string, of: string) =>
      page.locator(`#panel-${panel} tr`, { has: page.locator(`td:first-child:text-is("${of}")`) });

    /** Takes the pictures of the operator guide if `CONSOLE_PICTURES=docs/images` is set. */
    const picture = async (name: string) => {
      const folder = process.env.CONSOLE_PICTURES;
      if (folder !== undefined) await page.screenshot({ path: join(folder, `console-${name}.png`) });
    };

    it('shows a stuck queue of transactions', async () => {
      await stuck;

      await page.locator('.strip .stuck').first().waitFor();
      await page.getByText('stuck: nonce').first().waitFor();
      await problem(/signer \d has been stuck at nonce \d+ since .*, so .*wait/).waitFor();
      await picture('now');
    });

    const verdict = () => page.locator('#panel-verdict');
    const problem = (text: string | RegExp) => verdict().locator('li', { hasText: text });
    /** The name of the alarm whose description refers to this section of the runbook. */
    const alarmNameOf = async (runbook: string): Promise<string> => {
      const { MetricAlarms = [] } = await new CloudWatchClient(target.aws).send(
        new DescribeAlarmsCommand({}),
      );
      return String(
        MetricAlarms.find(({ AlarmDescription }) => AlarmDescription?.includes(runbook))?.AlarmName,
      );
    };
    /** Sets the alarm's state until the end of the minute, when the alarm is evaluated. */
    const setAlarm = (AlarmName: string, StateValue: 'ALARM' | 'OK') =>
      new CloudWatchClient(target.aws).send(
        new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'A test' }),
      );
    const violations = async (): Promise<string[]> => {
      await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
      return page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 150))))",
      );
    };

    it("shows at the next reading which customers' endpoints fail", async () => {
      const { content } = await followed.next('notifications');

      expect(content).toMatchObject({ failing: [{ application: 'partner', endpoint: hopeless.url }] });
      const panel = page.locator('#panel-notifications');
      const failing = `partner's endpoint ${hopeless.url} has accepted no notification since`;
      await panel.locator('p.bad', { hasText: failing }).waitFor();
      await panel
        .locator('.bad', { hasText: /endpoints with undelivered notifications about [1-9]\d* subjects/ })
        .waitFor();
      expect(await row('notifications', 'partner').locator('td').nth(2).textContent()).toBe('1');
      expect(await row('notifications', 'demo').locator('td').nth(2).textContent()).toBe('0');
    });

    it('shows the calls, collection, token and customer of the demonstration', async () => {
      const address = collectionOfWalk();

      for (const call of ['deploy', 'mint', 'list', 'event', 'stream']) {
        expect(Number(await row('services', call).locator('td').nth(1).textContent()), call).toBeGreaterThan(
          0,
        );
      }
      expect(Number(await row('services', 'stream').locator('td').nth(2).textContent())).toBeGreaterThan(0);
      for (const what of ['published', 'delivered', 'failed']) {
        expect(
          Number(await row('notifications', what).locator('td').nth(1).textContent()),
          what,
        ).toBeGreaterThan(0);
      }
      await open(`find/${address}`);
      const timeline = page.locator('[data-kind=contract]');
      await timeline.getByText('Opening night').first().waitFor();
      await timeline.getByText('confirmed at finality').waitFor();
      await timeline.locator('a', { hasText: `${address}/1` }).click();
      await page.locator('[data-kind=token]').getByText('published: confirmed').waitFor();
      await open('customers/demo');
      const told = await page.locator('#told').textContent();
      expect(told).toMatch(
        /^\d+ published \(in the last 24 hours, since .*\) · \d+ delivered · [1-9]\d* failed$/,
      );
      await page.getByText(/contracts: [1-9]\d* of/).waitFor();
    });

    it('lists every problem of a bad hour with working commands, and no problem after they are run', {
      timeout: 600_000,
    }, async () => {
      await open('now');
      const { release } = await stuck;
      const behave = (mode: string) =>
        callApi(`${system.outputs.entitlement_url}/behaviour`, { method: 'PUT', body: { mode } });
      const token = await system.token({ sub: 'ana', client_id: 'demo-web' });
      const asking = setInterval(
        () => callApi(`${system.outputs.base_url}/api/v3/ott/events/cup-final`, { token }).catch(() => {}),
        1_000,
      );
      const refilling = scenes.emptySigner(3);
      await Promise.all([behave('down'), refilling, scenes.unreadableUser('unreadable-1')]);
      const others = await Promise.all([scenes.failingEndpoint('demo'), scenes.failingEndpoint('demo')]);
      await scenes.operator('users', 'put', 'ana', '--data', '{"club_id":"bad-hour"}');

      // Worst first. Among endpoints, the one that has been failing longest comes first.
      const expected = [
        /signer 3 has (had )?no coins/,
        /signer \d has been stuck at nonce \d+/,
        /1 change (was not|has not been) published/,
        'the entitlement service has given no usable answer',
        `partner's endpoint ${hopeless.url} has answered 404`,
        /demo's endpoint \S+ has answered 404/,
        /demo's endpoint \S+ has answered 404/,
      ];
      for (const what of expected) await problem(what).first().waitFor(soon);
      const named = () => verdict().locator('li strong').allTextContents();
      await waitFor(async () => expect(await named()).toEqual(matching(expected)), patience);
      const lines = await verdict().locator('li').allTextContents();
      for (const line of lines) expect(line).toMatch(/docs\/runbook\.md#[a-z-]+npm run -s operator -- /);
      for (const line of lines.slice(3, 7)) expect(line).toContain(' since ');
      const { verdict: told } = JSON.parse(await scenes.operator('--json', 'status'));
      expect(told).toMatchObject({
        summary: '7 problems',
        problems: expected.map((what) => ({
          what: expect.stringMatching(what),
          runbook: expect.any(String),
        })),
      });
      expect(await violations()).toEqual([]);
      await scenes.unreadableUser('unreadable-2');
      await problem(/2 changes (were not|have not been) published/).waitFor(soon);

      const commands = await verdict().locator('li code', { hasText: 'npm run' }).allTextContents();
      const printed = await inParallel([...new Set(commands)], {
        atOnce: 2,
        run: async (command) => (await run('bash', ['-c', command], { cwd: root })).stdout,
      });
      expect(printed).not.toContain('');

      for (const each of [hopeless, ...others]) each.recover();
      released = release();
      released.catch(() => {});
      await Promise.all([
        behave('ok'),
        refilling.then((refill) => refill()),
        scenes
          .operator('--json', 'failed-changes', 'list')
          .then((text) => JSON.parse(text).map((row: { message_id: string }) => row.message_id))
          .then((ids) => scenes.operator('failed-changes', 'purge', ...ids, '--yes')),
        scenes.operator('dead-letters', 'redrive'),
        released,
      ]);

      const cancelled = await alarmNameOf('#a-transaction-failed');
      await waitFor(
        async () => {
          // A delivery that was refused just before its endpoint recovered may reach the queue after the redrive.
          if ((await problem('dead letter').count()) > 0) await scenes.operator('dead-letters', 'redrive');
          // The deployment that `release` cancelled has failed for good. If a minute ended since, its alarm is on, and
          // stays on for minutes.
          if ((await problem(`alarm ${cancelled}`).count()) > 0) await setAlarm(cancelled, 'OK');
          expect(await named()).toEqual([]);
          expect(await verdict().textContent()).toContain('no problem found');
          expect(await scenes.operator('status')).toMatch(/^no problem found, as of .* \(everything read\)/);
        },
        { timeout: 400_000, interval: 3_000 },
      );
      clearInterval(asking);
      await Promise.all(others.map((each) => each.stop()));
    });

    it('shows active alarms with their runbook section, and the alarms that are not evaluated', async () => {
      await open('now');
      const alarm = await alarmNameOf('#finality-stalls');
      // The alarm's evaluation resets its state every minute, so the test sets the state again and again.
      const setting = setInterval(() => {
        setAlarm(alarm, 'ALARM').catch(() => {});
      }, 1_000);

      const panel = page.locator('#panel-alarms');
      await panel.getByText('docs/runbook.md#finality-stalls').waitFor();
      await problem(`alarm ${alarm}`).waitFor();
      await panel.getByText(/not evaluated: .*SignaturesNearQuota/).waitFor();
      clearInterval(setting);
    });

    it('shows panels as stale when their table is unavailable', async () => {
      const faults = (tablesOutOfReach: readonly string[]) =>
        callApi(`${system.outputs.aws_endpoint_url}/_faults`, {
          method: 'PUT',
          body: { database: { tablesOutOfReach } },
        });
      await faults([target.output('EndpointsTable')]);

      await problem('notifications could not be read').waitFor({ timeout: 30_000 });
      await page.locator('#panel-notifications.stale').waitFor();
      await page.locator('#panel-verdict.stale').waitFor();
      await page.locator('#lost', { hasText: 'Notifications' }).waitFor();
      await faults([]);
      await page.locator('#lost').waitFor({ state: 'hidden', timeout: 30_000 });
    });

    it('shows until when a replaced key is accepted', async () => {
      await scenes.operator('applications', 'rotate-key', 'arena', '--grace', '24h');
      const { keys } = JSON.parse(await scenes.operator('--json', 'applications', 'show', 'arena'));
      const replaced: { readonly id: string; readonly ends_at: string } = keys[0];

      await open('customers/arena');

      const ofKey = page.locator('#customer tr', { has: page.getByText(replaced.id, { exact: true }) });
      await ofKey.locator(`td:nth-child(4) time[datetime="${replaced.ends_at}"]`).waitFor();
      expect(keys.map(({ ends_at: end }: { ends_at?: string }) => typeof end)).toEqual([
        'string',
        'undefined',
      ]);
    });

    it('names the step that refuses a stream', async () => {
      await open('customers/demo');
      await page.fill('#why [name=event]', 'cup-final');
      await page.fill('#why [name=user]', 'auth0|ana');
      await page.selectOption('#why [name=viewer]', 'not-bought');
      await page.click('#why button');

      await page.locator('#verdict', { hasText: 'purchase required' }).waitFor();
      await page.locator('#why-result tr', { hasText: 'what the viewer bought' }).locator('.bad').waitFor();
      const command = await page.locator('#why-result code').textContent();
      expect(command).toBe(
        target.command("events why cup-final --client demo-web --user 'auth0|ana' --viewer not-bought"),
      );
    });

    it('lists an editor beside customers, and shows nothing of it that only customers have', async () => {
      await scenes.operator('applications', 'create', 'newsroom', '--editor');
      const shown = page.locator('#customer');
      const headings = shown.locator('h2, h3');
      const asked = page.locator('#why [name=client]');

      await open('customers');
      await page.locator('tr', { hasText: 'newsroom' }).getByText('editor', { exact: true }).waitFor();
      await page.locator('tr', { hasText: 'demo-web' }).getByText('customer', { exact: true }).waitFor();
      expect(await asked.inputValue()).toBe('');
      await open('customers/demo');
      await shown.getByText('Customer demo', { exact: true }).waitFor();
      expect(await headings.allTextContents()).toContain('Notifications');
      expect(await asked.inputValue()).toBe('demo-web');
      await open('customers/newsroom');
      await shown.getByText('Application newsroom', { exact: true }).waitFor();
      expect(await headings.allTextContents()).toEqual(['Application newsroom', 'Keys']);
      await shown.getByText('enabled', { exact: true }).waitFor();
      expect(await asked.inputValue()).toBe('');
      expect(await violations()).toEqual([]);
    });

    it('shows a cancelled deployment, the failed mint into it, and a replaced mint', async () => {
      const { withdrawn, lost, held } = await stuck;
      await released;

      expect(said((await scenes.lookUp(withdrawn))[0])).toMatch(/withdrawn by an operator[\s\S]*CANCELLED/);
      expect(said((await scenes.lookUp(lost))[0])).toContain(
        "the deployment of the token's contract failed: CANCELLED",
      );
      expect(said((await scenes.lookUp(held))[0])).toMatch(
        /accepted and recorded[\s\S]*replaced by 0x[0-9a-f]+ for at most/,
      );
      await open(`find/${held}`);
      await page.getByText('replaced by 0x').first().waitFor();
      await picture('find');
    });

    it('shows the history of at least forty different things, and marks as unknown only what no table records', async () => {
      const { withdrawn, lost, held } = await stuck;
      await released;
      const wanted = [
        ...[withdrawn, lost, held, contract, endpoint.url, hopeless.url],
        collectionOfWalk(),
        ...['cup-final', 'ana', 'demo', 'partner', 'find-me', 'find-my-batch', 'find-my-update'],
        ...Array.from({ length: 30 }, (_, nonce) => String(nonce)),
      ];
      const found = new Map<string, readonly Timeline[]>();
      for (const what of wanted) {
        if (found.has(what) || found.size === 60) continue;
        const timelines = await scenes.lookUp(what);
        if (timelines.length === 0 && /^\d+$/.test(what)) continue;
        found.set(what, timelines);
        wanted.push(...timelines.flatMap(({ related }) => related));
      }

      expect(found.size).toBeGreaterThanOrEqual(40);
      expect([...found].filter(([, timelines]) => timelines.length === 0)).toEqual([]);
      const unknown = [...found].flatMap(([what, timelines]) =>
        timelines.flatMap(({ moments }) =>
          moments.filter(({ isUnknown }) => isUnknown).map((each) => `${what}: ${each.what}`),
        ),
      );
      expect(unknown.filter((line) => !realGaps.test(line))).toEqual([]);
    });

    it('marks a change whose time and author are not recorded', async () => {
      await open('find/demo');

      await page.locator('.timeline .unknown', { hasText: 'who changed the application and when' }).waitFor();
    });

    it('draws charts of metrics over time, and reads the metrics again a minute later', async () => {
      await page.clock.install();
      served.skip(60_000);
      await open('over-time');

      await page.locator('.chart canvas').nth(8).waitFor();
      expect(await page.locator('.chart canvas').count()).toBe(9);
      // Each chart marks the failure on its time axis, for the pointer.
      expect(await page.locator('.chart:has([title*="notifications failed: "])').count()).toBe(9);
      await page.locator('.fault').last().hover();
      // A list shows the same failure to users without a pointer.
      await page.locator('.failures summary').focus();
      await page.keyboard.press('Enter');
      await page.locator('.failures li', { hasText: 'notifications failed: ' }).first().waitFor();
      const again = page.waitForResponse(/api\/over-time/);
      await page.clock.fastForward(60_000);
      expect((await again).status()).toBe(200);
    });

    it('fits 390, 800 and 1,400 px, light and dark, is accessible, and loads nothing from other hosts', async () => {
      const elsewhere: string[] = [];
      page.on('request', (asked) => {
        if (!asked.url().startsWith(new URL(served.url).origin) && !asked.url().startsWith('data:'))
          elsewhere.push(asked.url());
      });
      const found: unknown[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 800, 1_400]) {
          await page.setViewportSize({ width, height: 900 });
          for (const view of ['now', 'over-time', 'find/cup-final', 'customers/demo']) {
            await open(view);
            await page.locator('#view section').nth(1).waitFor();
            await picture(`${view.split('/')[0]}-${width}-${colorScheme}`);

            const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
            if (Number(tooWide) > 0) found.push({ view, width, colorScheme, tooWide });
            const violated = await violations();
            if (violated.length > 0) found.push({ view, width, colorScheme, violated });
          }
        }
      }
      expect(found).toEqual([]);
      expect(elsewhere).toEqual([]);
      expect(problems).toEqual([]);
    }, 120_000);

    it('can be used by keyboard alone', async () => {
      await open('now');
      await verdict().locator('.copy').first().waitFor();
      const reached = new Set<string>();
      await page.locator('nav a').first().focus();
      for (let presses = 0; presses < 12; presses += 1) {
        reached.add(String(await page.evaluate('document.activeElement.textContent')));
        await page.keyboard.press('Tab');
      }
      expect([...reached]).toEqual(expect.arrayContaining(['Now', 'Over time', 'Find', 'Customers', 'Copy']));
      await page.locator('nav a', { hasText: 'Find' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('input[name=what]:focus').waitFor();
      await page.keyboard.type('cup-final');
      await page.keyboard.press('Enter');
      await page.locator('[data-kind=event]').waitFor();
    });

    it('marks all panels as stale with the time of the lost connection when the stage or server ends', async () => {
      await open('now');
      await verdict().locator('.verdict').waitFor();

      followed.stop();
      await system.stop();
      await page.locator('#lost', { hasText: 'Signers, Notifications, Services, Alarms' }).waitFor(soon);
      await verdict().locator('.verdict.bad').waitFor();
      await expect(scenes.operator('status')).rejects.toThrow();
      await served.stop();

      await page.locator('#lost', { hasText: 'The connection to the console has been lost since' }).waitFor();
      const sections = await page.locator('main section').count();
      expect(await page.locator('main section.stale').count()).toBe(sections);
    });
  },
);

describe('a console without a connected browser', () => {
  it('makes no requests to the stage', async () => {
    await waitUntil(() => Date.now() - closedAt > 3 * pauseMilliseconds, patience);

    // A reading that had begun before the page was closed may still end.
    expect(early.asked.filter(({ at }) => at - closedAt > pauseMilliseconds)).toEqual([]);
  });
});
