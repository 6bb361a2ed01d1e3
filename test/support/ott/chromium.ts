import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** A Chromium of this machine, by `CHROMIUM` or where systems put it; tests that need one say so where there is none. */
export const chromiumPath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path): path is string => path !== undefined && existsSync(path));

export const startChromium = () =>
  chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
  });
