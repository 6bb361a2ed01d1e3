import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { freePort } from 'template-runtime/processes/free-port.ts';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownScripts } from '../../../local/player/pages.ts';
import { withoutNewerFeatures } from '../../support/ott/browsers/oldest-browsers.ts';
import { chromiumPath, startChromium } from '../../support/ott/chromium.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const patience = { interval: 250 };
/** The screen of a phone. */
const narrow = { width: 390, height: 844 };
/** Syntax that the oldest browsers do not know. */
const newerSyntax = /\?\.[\w([]|\?\?|\|\|=|&&=|^await\b|^(?:const|let) .*= await\b|static \{/m;

describe.skipIf(chromiumPath === undefined)('without anything that browsers of 2021 do not have', () => {
  let system: System;
  let browser: Browser;
  let origin: string;
  const problems: string[] = [];

  beforeAll(async () => {
    origin = `http://127.0.0.1:${await freePort()}`;
    [system, browser] = await Promise.all([
      startSystem({ arguments: ['--page-origin', origin] }),
      startChromium(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.dispose();
  });

  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: narrow });
    const page = await context.newPage();
    await page.addInitScript(withoutNewerFeatures());
    page.on('pageerror', (error) => problems.push(String(error)));
    return page;
  };
  const plays = (page: Page) =>
    waitFor(
      async () =>
        expect(await page.evaluate<number>('document.querySelector("video").currentTime')).toBeGreaterThan(1),
      patience,
    );

  it('the player shows something to play on the first screen of a phone, and plays it', {
    timeout: 240_000,
  }, async () => {
    const page = await newPage();
    await page.goto(`${new URL(system.outputs.base_url).origin}/player`);
    expect(await page.evaluate('[typeof URL.canParse, typeof crypto.randomUUID]')).toEqual([
      'undefined',
      'undefined',
    ]);

    const first = page.locator('#events button').first();
    await first.waitFor();
    const { y = 0, height = 0 } = (await first.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(narrow.height);
    expect(await page.locator('#events .badge').first().textContent()).toBe('LIVE');
    if (process.env.PLAYER_PICTURES !== undefined) {
      await page.screenshot({ path: join(process.env.PLAYER_PICTURES, 'first-screen.png') });
    }
    await callApi(`${system.outputs.entitlement_url}/users/old`, {
      method: 'PUT',
      body: { purchases: ['cup-final'] },
    });
    await page.fill('#user', 'old');
    await page.click('#sign-in button[type=submit]');
    await page.getByText('signed in as old').waitFor();
    await page.click('button[data-event-id=cup-final]');

    await plays(page);
    expect(problems).toEqual([]);
  });

  it('the example page logs a viewer in, and plays', { timeout: 240_000 }, async () => {
    const example = spawn(process.execPath, ['examples/page/main.ts'], {
      env: {
        ...process.env,
        PORT: new URL(origin).port,
        OUTPUTS: join(system.stateDirectory, 'outputs.json'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(example.stdout, 'data');
      const page = await newPage();
      await page.goto(origin);
      await page.click('#login');
      await page.getByLabel('Name').fill('old');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('You are logged in.').waitFor();
      await page.click('#cup-final');

      await plays(page);
      expect(problems).toEqual([]);
      const script = await (await fetch(`${origin}/page.js`)).text();
      expect(script).not.toMatch(newerSyntax);
    } finally {
      example.kill('SIGKILL');
      await once(example, 'exit');
    }
  });

  it('the own scripts of the player have only syntax that these browsers know', async () => {
    for (const name of ownScripts) {
      const answer = await fetch(`${new URL(system.outputs.base_url).origin}/player/${name}.js`);

      expect(answer.status).toBe(200);
      expect(await answer.text(), name).not.toMatch(newerSyntax);
    }
  });
});
