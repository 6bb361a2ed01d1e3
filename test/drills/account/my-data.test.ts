import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CustomerEndpoint,
  confirming,
  notificationsOf,
  startCustomerEndpoint,
} from '../../support/notifications/customer-endpoint.ts';
import { chromiumPath, startChromium } from '../../support/ott/chromium.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { userDataOf } from '../../support/users/user-data-system.ts';

const patience = { timeout: 90_000, interval: 250 };
const narrow = { width: 390, height: 844 };
/** A folder for pictures of the panel. @default none */
const pictures = process.env.PLAYER_PICTURES;

describe.skipIf(chromiumPath === undefined)(
  `*My data* in the player${chromiumPath === undefined ? ' (there is no Chromium here: name one by CHROMIUM)' : ''}`,
  () => {
    let system: System;
    let data: ReturnType<typeof userDataOf>;
    let browser: Browser;
    let endpoint: CustomerEndpoint;

    beforeAll(async () => {
      [system, browser, endpoint] = await Promise.all([
        startSystem(),
        startChromium(),
        startCustomerEndpoint(confirming),
      ]);
      data = userDataOf(system);
      await data.subscribe(endpoint.url, data.application(0).id);
    });
    afterAll(async () => {
      await browser?.close();
      await endpoint?.stop();
      await system?.dispose();
    });

    const playerUrl = () => `${new URL(system.outputs.base_url).origin}/player`;

    /** Signs a viewer in, in a browser context of the viewer's own. */
    const newViewer = async (user: string, { clientId }: { readonly clientId?: string } = {}) => {
      const context = await browser.newContext({ viewport: narrow });
      const newScreen = async () => {
        const page = await context.newPage();
        if (clientId !== undefined) {
          await page.addInitScript(`sessionStorage.setItem('marquee-client', ${JSON.stringify(clientId)})`);
        }
        await page.goto(playerUrl());
        await page.fill('#user', user);
        await page.click('#sign-in button[type=submit]');
        await page.getByText(`signed in as ${user}`).waitFor();
        return page;
      };
      return { page: await newScreen(), newScreen };
    };

    const click = (page: Page, name: string) =>
      page.getByRole('button', { name, exact: true }).first().click();
    const panelSays = (page: Page, text: RegExp) =>
      waitFor(async () => expect(await page.textContent('#my-data')).toMatch(text), patience);
    const picture = async (page: Page, name: string) => {
      if (pictures === undefined) return;
      await page.locator('#my-data').scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${pictures}/my-data-${name}.png` });
    };

    /** Lets the issuer say from now on that the viewer logged in an hour ago, unless the viewer logs in on its page. */
    const ageLogin = (page: Page) =>
      page.route(`${system.outputs.oidc_issuer}/token`, async (route) => {
        const form = new URLSearchParams(route.request().postData() ?? '');
        if (form.has('auth_time')) form.set('auth_time', String(Math.floor(Date.now() / 1_000) - 3_600));
        await route.continue({ postData: form.toString() });
      });

    /** The identifier of a user in the application that is notified. */
    const identifierOf = async (user: string): Promise<string> => {
      const { body } = await data.b2b<{ user_subs: { application_user_sub: string }[] }>(
        data.application(0).api_key,
        '/vendor/user-subs/get',
        { body: { user_subs: [user] } },
      );
      return body.user_subs[0]?.application_user_sub ?? '';
    };
    const plays = async (page: Page) => {
      const position = () => page.evaluate<number>('document.querySelector("video").currentTime');
      await waitFor(async () => expect(await position()).toBeGreaterThan(0), patience);
      const from = await position();
      await waitFor(async () => expect(await position()).toBeGreaterThan(from + 1), patience);
    };
    const getTicketAndPlay = async (page: Page) => {
      await page.click('button[data-event-id=arena-night]');
      await page.locator('#refusal').getByRole('button', { name: 'Get a ticket' }).click();
      await plays(page);
    };

    it('shows what would go, gives all of it as a file, and erases after a word and a fresh login', {
      timeout: 600_000,
    }, async () => {
      const { page, newScreen } = await newViewer('leaver');
      await data.put('leaver', { email: 'leaver@example.com' }, 'arena-web');
      await click(page, 'Link a wallet made here');
      await page.getByText('is linked').waitFor();
      const playing = await newScreen();
      await getTicketAndPlay(playing);
      const before = await identifierOf('leaver');
      expect(before).not.toBe('');

      await ageLogin(page);
      await page.reload();
      await page.getByText('signed in as leaver').waitFor();
      await click(page, 'Show my data');
      await panelSays(page, /your data: email.*the links of 1 wallet.*your identifiers in.*1 ticket of/);
      await panelSays(page, /It leaves.*what is on the chain.*Told that you left: /);
      await picture(page, 'shown');
      await page.evaluate(
        readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
      );
      expect(
        await page.evaluate(
          "axe.run('#my-data').then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))",
        ),
      ).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(narrow.width);

      const [file] = await Promise.all([page.waitForEvent('download'), click(page, 'Download all of it')]);
      expect(file.suggestedFilename()).toBe('marquee-leaver.json');
      const whole = JSON.parse(readFileSync(await file.path(), 'utf8'));
      expect(whole).toMatchObject({
        user_sub: 'leaver',
        user_data: { email: 'leaver@example.com' },
        wallets: [{ address: expect.any(String) }],
        tokens: [{ status: 'reserved', history: [{ what: 'reserved' }] }],
      });
      await panelSays(page, /Your data is in the file/);

      await click(page, 'Erase all of it');
      await page.getByLabel(/^To erase everything of leaver/).fill('erase');
      await click(page, 'Erase now');
      await panelSays(page, /Nothing was erased: you did not type ERASE/);
      await picture(page, 'word');
      await page.getByLabel(/^To erase everything of leaver/).fill('ERASE');
      await click(page, 'Erase now');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      const asked = new URL(page.url()).searchParams;
      expect([asked.get('prompt'), asked.get('max_age'), await page.getByLabel('Name').inputValue()]).toEqual(
        ['login', '600', 'leaver'],
      );
      await click(page, 'Sign in');
      await panelSays(page, /leaver is erased\. The service answers now: 404 USER_NOT_FOUND\./);
      const erasedAt = Date.now();
      expect(await page.textContent('#viewer')).toBe('not signed in');
      expect(new URL(page.url()).search).toBe('');
      await picture(page, 'gone');

      // The application hears of it, and reads a 404.
      await waitFor(
        () =>
          expect(notificationsOf(endpoint).map(({ body }) => body.application_user_sub)).toContain(before),
        patience,
      );
      const heard = notificationsOf(endpoint).filter(({ body }) => body.application_user_sub === before);
      expect(heard.at(-1)?.body.operation_type).toBe('data_update');
      expect((await data.read(before, data.application(0).api_key)).status).toBe(404);

      // The stream of the other screen is not signed again, and ends with its signature.
      await playing.getByText(/^You no longer hold a ticket for this\. The stream ended at/).waitFor({
        timeout: 120_000,
      });
      const served = await callApi<{ path: string; at: number; status: number }[]>(
        `${system.outputs.distribution_url}/served`,
      );
      const after = served.json.filter(({ path, at }) => path.startsWith('/arena-night/') && at > erasedAt);
      expect(after.at(-1)?.status).toBe(403);

      // Who comes back is somebody else.
      await page.fill('#user', 'leaver');
      await click(page, 'Sign in');
      await page.getByText('signed in as leaver').waitFor();
      await page.getByText('You have linked no wallet.').waitFor();
      const again = await identifierOf('leaver');
      expect(again).not.toBe('');
      expect(again).not.toBe(before);
      await click(page, 'Show my data');
      await panelSays(page, /your registration, which has no data/);
    });

    it('erases nobody if the viewer logs in as somebody else, or not at all', {
      timeout: 240_000,
    }, async () => {
      const { page } = await newViewer('stays');
      const erase = async () => {
        await click(page, 'Show my data');
        await click(page, 'Erase all of it');
        await page.getByLabel(/^To erase everything of stays/).fill('ERASE');
        await click(page, 'Erase now');
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      };
      await ageLogin(page);
      await page.reload();
      await page.getByText('signed in as stays').waitFor();

      await erase();
      await page.getByLabel('Name').fill('somebody-else');
      await click(page, 'Sign in');
      await panelSays(page, /Nothing was erased: you did not log in again as the same user\./);
      await page.getByText('signed in as stays').waitFor();
      await erase();
      await page.goto(playerUrl());
      await page.getByText('signed in as stays').waitFor();

      expect(await identifierOf('stays')).not.toBe('');
    });

    it('is refused to the pages of other clients', { timeout: 240_000 }, async () => {
      const { clientId } = await data.ownApplication('other');
      const { page } = await newViewer('guest', { clientId });

      await click(page, 'Show my data');
      await panelSays(page, /Your data cannot be shown\..*\(403 CLIENT_NOT_ALLOWED\)/);
      await picture(page, 'refused');

      const token = await system.token({ sub: 'guest', client_id: clientId });
      const statuses = await Promise.all(
        (
          [
            ['GET', '/user/export'],
            ['GET', '/user/erasure'],
            ['DELETE', '/user/data'],
          ] as const
        ).map(
          async ([method, path]) =>
            (await callApi(`${system.outputs.api_url_profile}${path}`, { method, token })).status,
        ),
      );
      expect(statuses).toEqual([403, 403, 403]);
      expect(await identifierOf('guest')).not.toBe('');
    });
  },
);
