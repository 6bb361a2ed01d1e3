import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { chromiumPath, startChromium } from '../../support/ott/chromium.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const patience = { timeout: 120_000, interval: 250 };
const second = 1_000;

describe.skipIf(chromiumPath === undefined)(
  `the open page of the player${chromiumPath === undefined ? ' (there is no Chromium here: name one by CHROMIUM)' : ''}`,
  () => {
    let system: System;
    let browser: Browser;
    let page: Page;
    let key: string;

    beforeAll(async () => {
      [system, browser] = await Promise.all([startSystem(), startChromium()]);
      const outputs = join(system.stateDirectory, 'outputs.json');
      const words = ['--outputs', outputs, '--json', 'applications', 'create', 'desk', '--editor'];
      const { stdout } = await promisify(execFile)(process.execPath, ['operator/main.ts', ...words]);
      key = z.object({ api_key: z.string() }).parse(JSON.parse(stdout)).api_key;
      page = await browser.newPage();
      await page.goto(`${new URL(system.outputs.base_url).origin}/player`);
    });
    afterAll(async () => {
      await browser?.close();
      await system?.dispose();
    });

    const edit = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await callApi(`${system.outputs.base_url}/api/v3/ott/catalogue/${path}`, {
        method: 'PUT',
        headers: { 'x-api-key': key, ...headers },
        body,
      });
      expect(answer.status, answer.text).toBe('if-none-match' in headers ? 201 : 200);
    };
    const publish = (id: string, fields: object) =>
      edit(
        id,
        {
          event_id: id,
          title: id,
          access: 'free',
          starts_at: new Date().toISOString(),
          stream: { type: 'hls', url: `${system.outputs.distribution_url}/${id}/index.m3u8` },
          ...fields,
        },
        { 'if-none-match': '*' },
      );
    const play = (id: string) => page.click(`button[data-event-id=${id}]`);
    const cardSays = (id: string, status: string) =>
      page
        .locator('.card', { has: page.locator(`button[data-event-id=${id}]`) })
        .getByText(status, { exact: true })
        .waitFor(patience);
    const plays = async () => {
      const position = () => page.evaluate<number>('document.querySelector("video").currentTime');
      await vi.waitFor(async () => expect(await position()).toBeGreaterThan(1), patience);
      const before = await position();
      await vi.waitFor(async () => expect(await position()).toBeGreaterThan(before + 1), patience);
    };
    const served = async (id: string) =>
      (
        await callApi<{ path: string; at: number; status: number }[]>(
          `${system.outputs.distribution_url}/served`,
        )
      ).json.filter(({ path }) => path.startsWith(`/${id}/`));

    it('plays an event for which the viewer waits when its schedule says LIVE, and ends with it', {
      timeout: 400_000,
    }, async () => {
      const from = Math.ceil(Date.now() / second) * second;
      const [kickOff, end] = [from + 40 * second, from + 90 * second];
      await publish('kick-off', {
        status: 'UPCOMING',
        schedule: [
          { at: new Date(kickOff).toISOString(), status: 'LIVE' },
          { at: new Date(end).toISOString(), status: 'FINISHED' },
        ],
      });

      await cardSays('kick-off', 'UPCOMING');
      await play('kick-off');
      await page.getByText('This has not begun yet. (404 STREAM_NOT_AVAILABLE)').waitFor();
      await page.getByText('It plays here as soon as it begins.').waitFor();
      await cardSays('kick-off', 'LIVE');
      await plays();
      expect(Date.now()).toBeGreaterThan(kickOff);

      await page.getByText(/^The event is over\. The stream ended at \S+/).waitFor(patience);
      await cardSays('kick-off', 'FINISHED');
      const all = await served('kick-off');
      const shown = all.filter(({ status }) => status === 200).map(({ at }) => at);
      expect(Math.min(...shown)).toBeGreaterThanOrEqual(kickOff);
      expect(Math.max(...shown)).toBeLessThan(end);
    });

    it('says that an event was cancelled, and ends it when its signature ends', {
      timeout: 400_000,
    }, async () => {
      await publish('taken-down', { status: 'LIVE' });
      await cardSays('taken-down', 'LIVE');
      await play('taken-down');
      await plays();

      await edit('taken-down/status', { status: 'CANCELLED' });

      await cardSays('taken-down', 'CANCELLED');
      await page.getByText(/^This event was cancelled\. The stream ended at \S+/).waitFor(patience);
      await play('taken-down');
      await page.getByText('This event was cancelled. (404 STREAM_NOT_AVAILABLE)').waitFor();
    });
  },
);
