import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callApi } from '../support/api-client.ts';
import { chromiumPath, startChromium } from '../support/ott/chromium.ts';
import { type System, startSystem } from '../support/system.ts';

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
    const signIn = async (user: string) => {
      await page.goto(`${new URL(system.outputs.base_url).origin}/player`);
      await page.fill('#user', user);
      await page.click('#sign-in button[type=submit]');
      await page.getByText(`signed in as ${user}`).waitFor();
    };
    const play = (eventId: string) => page.click(`button[data-event-id=${eventId}]`);
    const position = () => page.evaluate<number>('document.querySelector("video").currentTime');
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

    it('is handed no segment after its cookie has ended', { timeout: 240_000 }, async () => {
      await setPurchases('ana', ['cup-final']);
      await signIn('ana');
      const answer = page.waitForResponse((response) => response.url().endsWith('/cup-final/stream'));
      await play('cup-final');
      const { expires_at: expiresAt } = (await (await answer).json()) as { readonly expires_at: string };
      // What was bought is taken back: the page asks again before the end, and is refused.
      await setPurchases('ana', []);

      await page.getByText('The distribution refuses to go on').waitFor({ timeout: 120_000 });

      const after = (await served()).filter(({ at }) => at >= Date.parse(expiresAt));
      expect(after.length).toBeGreaterThan(0);
      expect(new Set(after.map(({ status }) => status))).toEqual(new Set([403]));
    });

    it('opens no other folder with the signature of one', async () => {
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
