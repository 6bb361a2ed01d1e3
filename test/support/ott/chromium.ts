import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/**
 * An installed Chromium: the one that `CHROMIUM` names, or one in a usual place. Without one, tests that need it are
 * skipped.
 */
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
