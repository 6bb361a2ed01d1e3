import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { freePort } from 'template-runtime/processes/free-port.ts';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { createWalletClient, type Hex, http } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { local as config } from '../../../config/local.ts';
import { chromiumPath, startChromium } from '../../support/ott/chromium.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

/** Gives the page a wallet (EIP-1193), announced as in EIP-6963. It approves every request. */
const injectWallet = async (
  page: Page,
  { wallet, rpcUrl }: { readonly wallet: PrivateKeyAccount; readonly rpcUrl: string },
) => {
  const client = createWalletClient({ account: wallet, transport: http(rpcUrl) });
  const calls = {
    eth_requestAccounts: () => [wallet.address],
    personal_sign: (raw: Hex) => wallet.signMessage({ message: { raw } }),
    eth_sendTransaction: ({ to, data }: { readonly to: Hex; readonly data: Hex }) =>
      client.sendTransaction({ to, data, chain: null }),
  };
  await page.exposeFunction('askWallet', (method: keyof typeof calls, [first]: readonly never[]) =>
    calls[method](first as never),
  );
  await page.addInitScript(`
    const provider = { request: ({ method, params = [] }) => askWallet(method, params) };
    const info = { uuid: 'c5f1d3a2-0000-4000-8000-000000000001', name: 'Test wallet', icon: 'data:,', rdns: 'com.example' };
    const announce = () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
    addEventListener('eip6963:requestProvider', announce);
    announce();
    window.ethereum = provider;
  `);
};

const patience = { timeout: 90_000, interval: 250 };
const narrow = { width: 390, height: 844 };

/** A folder for pictures of the narrow page, one for each button. @default none */
const pictures = process.env.PLAYER_PICTURES;

/** Waits until the whole element is in the window. */
const expectInView = (shown: Locator) =>
  waitFor(async () => {
    const isInView = shown.evaluate(
      (element: {
        getBoundingClientRect(): { readonly top: number; readonly bottom: number; readonly height: number };
      }) => {
        const { top, bottom, height } = element.getBoundingClientRect();
        return (
          height > 0 && top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight
        );
      },
    );
    expect(await isInView, `in view: ${await shown.textContent()}`).toBe(true);
  }, patience);

describe.skipIf(chromiumPath === undefined)(
  `the player in a browser${chromiumPath === undefined ? ' (there is no Chromium here: name one by CHROMIUM)' : ''}`,
  () => {
    let system: System;
    let browser: Browser;
    let page: Page;
    /** The origins of the example page. */
    let examples: readonly string[];

    beforeAll(async () => {
      const [one, other] = [await freePort(), await freePort()];
      examples = [`http://127.0.0.1:${one}`, `http://127.0.0.1:${other}`];
      [system, browser] = await Promise.all([
        startSystem({ arguments: examples.flatMap((origin) => ['--page-origin', origin]) }),
        startChromium(),
      ]);
      page = await browser.newPage();
    });
    afterAll(async () => {
      await browser?.close();
      await system?.dispose();
    });

    const setPurchases = (user: string, purchases: readonly string[]) =>
      callApi(`${system.outputs.entitlement_url}/users/${user}`, { method: 'PUT', body: { purchases } });
    const signIn = async (user: string, on = page) => {
      await on.goto(`${new URL(system.outputs.base_url).origin}/player`);
      await on.fill('#user', user);
      await on.click('#sign-in button[type=submit]');
      await on.getByText(`signed in as ${user}`).waitFor();
    };
    const play = (eventId: string, on = page) => on.click(`button[data-event-id=${eventId}]`);
    const position = (on = page) => on.evaluate<number>('document.querySelector("video").currentTime');
    /** Signs a viewer in, in a browser context of the viewer's own, with the wallet if one is given. */
    const newViewer = async (
      user: string,
      { wallet, viewport }: { readonly wallet?: PrivateKeyAccount; readonly viewport?: typeof narrow } = {},
    ) => {
      const context = await browser.newContext({ ...(viewport !== undefined && { viewport }) });
      const newScreen = async () => {
        const own = await context.newPage();
        if (wallet !== undefined) await injectWallet(own, { wallet, rpcUrl: system.outputs.chain_rpc_url });
        await signIn(user, own);
        const plays = async () => {
          await waitFor(async () => expect(await position(own)).toBeGreaterThan(0), patience);
          const from = await position(own);
          await waitFor(async () => expect(await position(own)).toBeGreaterThan(from + 1), patience);
        };
        return { page: own, plays, play: (eventId: string) => play(eventId, own) };
      };
      return { ...(await newScreen()), newScreen };
    };
    const setChain = (chain: { readonly isOutOfReach: boolean }) =>
      callApi(`${system.outputs.aws_endpoint_url}/_faults`, { method: 'PUT', body: { chain } });
    const served = async () =>
      (
        await callApi<{ path: string; at: number; status: number }[]>(
          `${system.outputs.distribution_url}/served`,
        )
      ).json;

    it('has something to play on the first screen of a laptop, and gives the stream the room when it plays', {
      timeout: 120_000,
    }, async () => {
      const viewport = { width: 1280, height: 800 };
      const context = await browser.newContext({ viewport });
      const laptop = await context.newPage();
      await laptop.goto(`${new URL(system.outputs.base_url).origin}/player`);

      const first = laptop.locator('#events button').first();
      await first.waitFor();
      await expectInView(first);
      await laptop.click('button[data-event-id=training-session]');
      await laptop.getByRole('button', { name: 'Stop' }).waitFor();

      const { width = 0, height = 0 } = (await laptop.locator('#picture').boundingBox()) ?? {};
      expect(height / width).toBeCloseTo(9 / 16, 2);
      await laptop.click('#stop');
      await expectInView(first);
      await context.close();
    });

    it('plays a purchased event, and explains why it does not play another event', {
      timeout: 240_000,
    }, async () => {
      await setPurchases('ana', ['cup-final']);
      await callApi(`${system.outputs.geolocation_url}/addresses/127.0.0.1`, {
        method: 'PUT',
        body: { country: 'NO' },
      });
      const list = page.waitForResponse((response) => response.url().includes('/api/v3/ott/events/'));
      await signIn('ana');

      expect((await (await list).allHeaders())['content-encoding']).toBe('gzip');
      await play('cup-final');
      await waitFor(async () => expect(await position()).toBeGreaterThan(1), patience);
      const before = await position();
      await waitFor(async () => expect(await position()).toBeGreaterThan(before + 1), patience);

      await waitFor(async () => {
        await play('winter-concert');
        await page
          .getByText('This has to be bought first. (403 PURCHASE_REQUIRED)')
          .waitFor({ timeout: 2_000 });
      }, patience);
      expect((await served()).some(({ path }) => path.startsWith('/winter-concert/'))).toBe(false);
    });

    it('shows each refusal with its next step, and plays after the purchase', async () => {
      await page.click('#sign-out');
      await play('cup-final');
      await page.getByText('Sign in to play this. (403 LOGIN_REQUIRED)').waitFor();
      expect(await page.isVisible('#spinner')).toBe(false);

      await page.fill('#user', 'dora');
      await page.click('#sign-in button[type=submit]');
      await page.getByText('(403 PURCHASE_REQUIRED)').waitFor();
      await page.selectOption('#rights', 'denied');
      await page.getByText('You may not play this. (403 ENTITLEMENT_DENIED)').waitFor();
      await page.selectOption('#rights', 'bought');
      await page.getByRole('button', { name: 'Buy it' }).click();
      await waitFor(async () => expect(await position()).toBeGreaterThan(1), patience);
      expect(await page.textContent('#life-text')).toMatch(/^the signature is valid for another \d+ s$/);
    });

    it('shows the message of each button within the screen of a phone', { timeout: 240_000 }, async () => {
      await callApi(`${system.outputs.geolocation_url}/addresses/127.0.0.1`, {
        method: 'PUT',
        body: { country: 'NO' },
      });
      const fan = await newViewer('phone', { viewport: narrow });
      const on = fan.page;
      const refusal = on.locator('#refusal');
      const click = (name: string) => on.getByRole('button', { name, exact: true }).first().click();
      let taken = 0;
      const says = async (text: RegExp, where = refusal) => {
        await waitFor(async () => expect(await where.textContent()).toMatch(text), patience);
        await expectInView(where);
        taken += 1;
        if (pictures !== undefined)
          await on.screenshot({ path: `${pictures}/${String(taken).padStart(2, '0')}.png` });
      };
      await says(/^signed in as phone$/, on.locator('#viewer'));

      await click('Sign out');
      await says(/^not signed in$/, on.locator('#viewer'));
      await click('Play Winter concert');
      await says(/Sign in to play this/);
      await refusal.getByRole('button', { name: 'Sign in' }).click();
      await expectInView(on.locator('#user'));
      await click('Sign in');
      await says(/bought first/);
      await click('Buy it');
      await fan.plays();
      await says(/signature is valid/, on.locator('#playing'));
      await click('Stop');
      await says(/Choose an event/, on.locator('#idle'));
      await click('Play Season opening');
      await says(/You can play it from Aug 15, 2099, 3:30\sPM\./);
      await click('Try again');
      await says(/You can play it from/);

      await click('Play Arena night');
      await says(/needs a ticket, or access that you buy/);
      await click('Use a ticket in my wallet');
      await says(/You have linked no wallet/, on.locator('#wallets'));
      const message = on.locator('#wallet-message');
      await click('Link a wallet made here');
      await says(/is linked/, message);
      await click('Unlink');
      await says(/is unlinked/, message);
      const ticketMessage = on.locator('#ticket-message');
      await click('Get a ticket');
      // The stream opens at once, and then the page shows the picture instead of this message.
      await waitFor(async () => expect(await ticketMessage.textContent()).toMatch(/is yours/), patience);
      await fan.plays();
      await says(/Arena night/, on.locator('#screen'));
      await click('Give it');
      await says(/Enter the name of a fan/, ticketMessage);
      await click('Link a wallet made here');
      await says(/is linked/, message);
      await click('Move it to my wallet');
      await says(/You can sell it now/, ticketMessage);
      await click('Sell');
      await says(/Enter the buyer’s address/, ticketMessage);

      // Only the link of a contract wallet expires. The test adds an expiry to the answer, as a contract wallet would
      // have it.
      let expiresAt = Date.now() + 9 * 86_400_000;
      await on.route('**/user/wallets', async (route) => {
        const response = await route.fetch();
        const wallets: object[] = await response.json();
        const expires_at = new Date(expiresAt).toISOString();
        await route.fulfill({ response, json: wallets.map((wallet) => ({ ...wallet, expires_at })) });
      });
      await click('Play Winter concert');
      // The page moves its parts until the picture plays: a click in between may meet none.
      await fan.plays();
      await on.getByText(/^Link this wallet again before/).waitFor();
      await click('Link again');
      await says(/is linked/, message);
      expiresAt = Date.now() - 1_000;
      await click('Play Season opening');
      await says(/You can play it from/);
      const ended = on.getByText(/^The link of this wallet ended at .* until you link it again\.$/);
      await ended.waitFor();
      expiresAt = Date.now() + 60 * 86_400_000;
      await click('Link again');
      await on.getByRole('button', { name: 'Link again' }).waitFor({ state: 'detached' });
    });

    it("warns before a purchase that an event cannot be watched live in the viewer's country", async () => {
      const inCountry = (country: string) =>
        callApi(`${system.outputs.geolocation_url}/addresses/127.0.0.1`, {
          method: 'PUT',
          body: { country },
        });
      const { page: on } = await newViewer('traveller');
      try {
        await on.selectOption('#client', 'partner-web');
        await on.selectOption('#country', 'DE');
        const card = on.locator('.card', { hasText: 'Season opening' });
        await card.getByText('Cannot be watched live in your country.').waitFor(patience);

        await card.getByRole('button').click();
        await on
          .getByText('This event cannot be watched live in your country. (404 EVENT_NOT_FOUND)')
          .waitFor();
      } finally {
        await inCountry('NO');
      }
    });

    it('gets 403 for every segment after its cookie has expired', { timeout: 240_000 }, async () => {
      await setPurchases('ana', ['cup-final']);
      await signIn('ana');
      const answer = page.waitForResponse((response) => response.url().includes('/cup-final/stream'));
      await play('cup-final');
      const { expires_at: expiresAt } = (await (await answer).json()) as { readonly expires_at: string };
      // Without the purchase, the page is refused when it requests the stream again before the cookie expires.
      await setPurchases('ana', []);

      await page.getByText(/This is no longer bought\. You can watch until it ends at \S+/).waitFor(patience);
      await page
        .getByText(/This is no longer bought\. The stream ended at \S+/)
        .waitFor({ timeout: 120_000 });

      const after = (await served()).filter(
        ({ path, at }) => path.startsWith('/cup-final/') && at >= Date.parse(expiresAt),
      );
      expect(after.length).toBeGreaterThan(0);
      expect(new Set(after.map(({ status }) => status))).toEqual(new Set([403]));
    });

    it('plays with a ticket without a wallet, after it was given away, claimed to a wallet, and sold', {
      timeout: 400_000,
    }, async () => {
      const fan = await newViewer('fan', { viewport: narrow });
      const wallet = privateKeyToAccount(generatePrivateKey());
      const friend = await newViewer('friend', { wallet });
      const ticketSays = (on: Page, text: RegExp) =>
        waitFor(async () => expect(await on.textContent('#ticket-message')).toMatch(text), patience);

      await fan.play('arena-night');
      await fan.page.locator('#refusal').getByRole('button', { name: 'Get a ticket' }).click();
      await fan.plays();
      const renewal = fan.page.waitForResponse((answer) => answer.url().includes('/stream?session='), {
        timeout: 90_000,
      });
      await setChain({ isOutOfReach: true });
      expect((await renewal).status()).toBe(200);
      await setChain({ isOutOfReach: false });

      await fan.page.getByLabel(/^Fan who gets ticket/).fill('friend');
      await fan.page.getByRole('button', { name: 'Give it' }).click();
      await ticketSays(fan.page, /belongs to friend now/);
      const givenAt = Date.now();
      const refusal = fan.page.locator('#refusal');
      await fan.page
        .getByText(/^You gave your ticket away\. You can watch until it ends at \S+\s[AP]M\.$/)
        .waitFor(patience);
      await expectInView(refusal);
      await fan.page
        .getByText(/^You gave your ticket away\. The stream ended at \S+\s[AP]M\.$/)
        .waitFor({ timeout: 120_000 });
      await expectInView(refusal);
      expect(await refusal.textContent()).not.toMatch(/403|signature/);
      expect(await fan.page.isVisible('#life')).toBe(false);
      const shown = (await served()).filter(
        ({ path, status }) => path.startsWith('/arena-night/') && status === 200,
      );
      const ticketMilliseconds = (config.ott.ticketSeconds ?? 0) * 1_000;
      expect(ticketMilliseconds).toBeGreaterThan(0);
      expect(Math.max(...shown.map(({ at }) => at))).toBeLessThanOrEqual(givenAt + ticketMilliseconds);
      await fan.play('arena-night');
      await fan.page.getByText('(403 PURCHASE_REQUIRED)').waitFor();

      await friend.play('arena-night');
      await friend.plays();
      await friend.page.getByRole('button', { name: 'Link Test wallet' }).click();
      await friend.page.getByText('is linked').waitFor();
      const answers: number[] = [];
      friend.page.on('response', (answer) => {
        if (answer.url().includes('/arena-night/stream?')) answers.push(answer.status());
      });
      const claimed = friend.page.waitForResponse((answer) => answer.url().endsWith('/claim'));
      await friend.page.getByRole('button', { name: 'Move it to my wallet' }).click();
      expect(await (await claimed).json()).toMatchObject({ status: 'pending' });
      await friend.play('arena-night');
      await waitFor(() => expect(answers).not.toEqual([]), patience);
      await ticketSays(friend.page, /You can sell it now/);
      await friend.play('arena-night');
      await friend.plays();
      expect(answers.length).toBeGreaterThan(1);
      expect(new Set(answers)).toEqual(new Set([200]));
      expect(await friend.page.isVisible('#refusal')).toBe(false);

      const buyer = await newViewer('buyer');
      await buyer.play('arena-night');
      await buyer.page.getByText('(403 PURCHASE_REQUIRED)').waitFor();
      await buyer.page.getByRole('button', { name: 'Link a wallet made here' }).click();
      await buyer.page.getByText('is linked').waitFor();
      const address = await buyer.page.locator('#linked li[title]').getAttribute('title');
      await friend.page.getByLabel(/^Buyer of ticket/).fill(address ?? '');
      await friend.page.getByRole('button', { name: 'Sell' }).click();
      await ticketSays(friend.page, /was sold to/);
      await friend.page
        .getByText(/^Your ticket was sold\. You can watch until it ends at \S+\s[AP]M\.$/)
        .waitFor(patience);
      await buyer.play('arena-night');
      await buyer.plays();

      const second = await buyer.newScreen();
      await second.play('arena-night');
      await second.plays();
      const third = await buyer.newScreen();
      await third.play('arena-night');
      await third.page.getByText('(403 TOO_MANY_STREAMS)').waitFor();
      expect(await third.page.getByRole('button', { name: 'Play here instead' }).count()).toBe(2);
      await third.page.getByRole('button', { name: 'Play here instead' }).first().click();
      await third.plays();
      await buyer.page.getByText('(403 SESSION_ENDED)').waitFor(patience);
      await third.page.reload();
      await third.plays();
      await second.plays();
    });

    it('supports a login, linked wallet and ticket on the example page of each other origin', {
      timeout: 300_000,
    }, async () => {
      const { base_url: baseUrl, applications } = system.outputs;
      await fetch(`${new URL(baseUrl).origin}/player/settings.js`);
      const event = await callApi<{ tickets: { contract_address: string }[] }>(
        `${baseUrl}/api/v3/ott/events/arena-night`,
        { headers: { 'x-client-id': 'arena-web' } },
      );
      const collection = event.json.tickets[0]?.contract_address;
      const apiKey = applications.find(({ id }) => id === 'arena')?.api_key ?? '';

      for (const [index, origin] of examples.entries()) {
        await using cleanup = new AsyncDisposableStack();
        const server = spawn(process.execPath, ['examples/page/main.ts'], {
          env: {
            ...process.env,
            PORT: new URL(origin).port,
            OUTPUTS: join(system.stateDirectory, 'outputs.json'),
          },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        cleanup.defer(() => void server.kill());
        await once(server.stdout, 'data');
        const wallet = privateKeyToAccount(generatePrivateKey());
        const minted = await callApi(`${baseUrl}/api/v1/nft/contracts/${collection}/mint`, {
          method: 'POST',
          headers: { 'x-api-key': apiKey },
          body: { destination: wallet.address, metadata: { name: 'Seat' } },
        });
        expect(minted.status).toBe(201);
        const context = await browser.newContext();
        cleanup.defer(() => context.close());
        const own = await context.newPage();
        await injectWallet(own, { wallet, rpcUrl: system.outputs.chain_rpc_url });

        await own.goto(`${origin}/`);
        await own.getByText('You are not logged in.').waitFor();
        await own.getByRole('button', { name: 'Play Arena night' }).click();
        await own.getByText('LOGIN_REQUIRED').waitFor();
        await own.getByRole('button', { name: 'Log in' }).click();
        await own.getByLabel('Name').fill(`example-${index}`);
        await own.getByRole('button', { name: 'Sign in' }).click();
        await own.getByText('You are logged in.').waitFor();
        await own.getByRole('button', { name: 'Link a wallet' }).click();
        await own.getByText('Your wallet is linked.').waitFor();
        await waitFor(async () => {
          await own.getByRole('button', { name: 'Play Arena night' }).click();
          await own.getByText('You are watching arena-night.').waitFor({ timeout: 2_000 });
        }, patience);
        await waitFor(async () => expect(await position(own)).toBeGreaterThan(1), patience);
        const isStreamCall = (url: string) => url.includes('/arena-night/stream?session=');
        const renewal = await own.waitForResponse((answer) => isStreamCall(answer.url()), {
          timeout: 90_000,
        });
        expect(renewal.status()).toBe(200);
        const ended = own.waitForResponse((answer) => answer.url().endsWith('/arena-night/stream/end'));
        await own.getByRole('button', { name: 'End' }).click();
        expect((await ended).status()).toBe(204);
        await own.getByText('The stream has ended.').waitFor();
      }
    });

    it('cannot open a folder with the signature for another folder', async () => {
      const stream = await callApi(`${system.outputs.base_url}/api/v3/ott/events/training-session/stream`);
      const cookie = stream.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ');
      const fetchWith = (path: string, sent: string) =>
        fetch(`${system.outputs.distribution_url}/${path}`, { headers: { cookie: sent } });

      expect((await fetchWith('training-session/index.m3u8', cookie)).status).toBe(200);
      expect((await fetchWith('training-session/video.mp4', cookie)).status).toBe(200);
      expect((await fetchWith('cup-final/index.m3u8', cookie)).status).toBe(403);
      expect((await fetchWith('training-session/../cup-final/index.m3u8', cookie)).status).toBe(403);
      expect((await fetchWith('training-session/index.m3u8', '')).status).toBe(403);
      const forged = cookie.replace(/CloudFront-Signature=./, 'CloudFront-Signature=_');
      expect((await fetchWith('training-session/index.m3u8', forged)).status).toBe(403);
    });
  },
);
