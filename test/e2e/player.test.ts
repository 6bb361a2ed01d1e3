import type { Browser, Page } from 'playwright-core';
import { createWalletClient, type Hex, http } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { local as config } from '../../config/local.ts';
import { callApi } from '../support/api-client.ts';
import { chromiumPath, startChromium } from '../support/ott/chromium.ts';
import { type System, startSystem } from '../support/system.ts';

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
    const provider = { request: ({ method, params }) => askWallet(method, params) };
    const info = { uuid: 'c5f1d3a2-0000-4000-8000-000000000001', name: 'Test wallet', icon: 'data:,', rdns: 'com.example' };
    const announce = () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
    addEventListener('eip6963:requestProvider', announce);
    announce();
  `);
};

const patience = { timeout: 90_000, interval: 250 };

describe.skipIf(chromiumPath === undefined)(
  `the player in a browser${chromiumPath === undefined ? ' (there is no Chromium here: name one by CHROMIUM)' : ''}`,
  () => {
    let system: System;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      [system, browser] = await Promise.all([startSystem(), startChromium()]);
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
    const newViewer = async (user: string, { wallet }: { readonly wallet?: PrivateKeyAccount } = {}) => {
      const context = await browser.newContext();
      const newScreen = async () => {
        const own = await context.newPage();
        if (wallet !== undefined) await injectWallet(own, { wallet, rpcUrl: system.outputs.chain_rpc_url });
        await signIn(user, own);
        const plays = async () => {
          await vi.waitFor(async () => expect(await position(own)).toBeGreaterThan(0), patience);
          const from = await position(own);
          await vi.waitFor(async () => expect(await position(own)).toBeGreaterThan(from + 1), patience);
        };
        return { page: own, plays, play: (eventId: string) => play(eventId, own) };
      };
      return { ...(await newScreen()), newScreen };
    };
    const served = async () =>
      (
        await callApi<{ path: string; at: number; status: number }[]>(
          `${system.outputs.distribution_url}/served`,
        )
      ).json;

    it('plays what the viewer bought, and says why it does not play the other', {
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
      await vi.waitFor(async () => expect(await position()).toBeGreaterThan(1), patience);
      const before = await position();
      await vi.waitFor(async () => expect(await position()).toBeGreaterThan(before + 1), patience);

      await vi.waitFor(async () => {
        await play('winter-concert');
        await page
          .getByText('This has to be bought first. (403 PURCHASE_REQUIRED)')
          .waitFor({ timeout: 2_000 });
      }, patience);
      expect((await served()).some(({ path }) => path.startsWith('/winter-concert/'))).toBe(false);
    });

    it('says each refusal in words with what to do next, and plays what is bought there', async () => {
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
      await vi.waitFor(async () => expect(await position()).toBeGreaterThan(1), patience);
      expect(await page.textContent('#life-text')).toMatch(/^the signature is valid for another \d+ s$/);
    });

    it('gets no segment after its cookie has expired', { timeout: 240_000 }, async () => {
      await setPurchases('ana', ['cup-final']);
      await signIn('ana');
      const answer = page.waitForResponse((response) => response.url().includes('/cup-final/stream'));
      await play('cup-final');
      const { expires_at: expiresAt } = (await (await answer).json()) as { readonly expires_at: string };
      // Without the purchase, the page is refused when it requests the stream again before the cookie expires.
      await setPurchases('ana', []);

      await page.getByText('The distribution refuses the next part').waitFor({ timeout: 120_000 });

      const after = (await served()).filter(({ at }) => at >= Date.parse(expiresAt));
      expect(after.length).toBeGreaterThan(0);
      expect(new Set(after.map(({ status }) => status))).toEqual(new Set([403]));
    });

    it('plays what a ticket opens, for its seller until it is sold, and then for its buyer', {
      timeout: 300_000,
    }, async () => {
      const account = privateKeyToAccount(generatePrivateKey());
      const seller = await newViewer('seller', { wallet: account });
      const buyer = await newViewer('buyer');

      await seller.play('arena-night');
      await seller.page.getByText('(403 PURCHASE_REQUIRED)').waitFor();
      await seller.page.getByRole('button', { name: 'Link Test wallet' }).click();
      await seller.page.getByText('is linked').waitFor();
      await seller.page.getByRole('button', { name: 'Get a ticket' }).click();
      await seller.plays();

      await buyer.play('arena-night');
      await buyer.page.getByText('(403 PURCHASE_REQUIRED)').waitFor();
      await buyer.page.getByRole('button', { name: 'Link a wallet made here' }).click();
      await buyer.page.getByText('is linked').waitFor();
      const address = await buyer.page.locator('#linked li[title]').getAttribute('title');
      await seller.page.getByLabel(/^Buyer of ticket/).fill(address ?? '');
      await seller.page.getByRole('button', { name: 'Sell' }).click();
      await vi.waitFor(
        async () => expect(await seller.page.textContent('#wallet-message')).toContain('is sold to'),
        patience,
      );
      const soldAt = Date.now();

      await seller.page.getByText('The distribution refuses the next part').waitFor({ timeout: 120_000 });
      const shown = (await served()).filter(
        ({ path, status }) => path.startsWith('/arena-night/') && status === 200,
      );
      const ticketMilliseconds = (config.ott.ticketSeconds ?? 0) * 1_000;
      expect(ticketMilliseconds).toBeGreaterThan(0);
      expect(Math.max(...shown.map(({ at }) => at))).toBeLessThanOrEqual(soldAt + ticketMilliseconds);

      await seller.play('arena-night');
      await seller.page.getByText('(403 PURCHASE_REQUIRED)').waitFor();
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

    it('cannot open a folder with the signature for another', async () => {
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
