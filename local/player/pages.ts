import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import type { Page, Pages } from 'template-runtime/gateway/types.ts';
import { oldestBrowsers } from '../oldest-browsers.ts';
import type { Outputs } from '../outputs.ts';

const require = createRequire(import.meta.url);
const script = 'text/javascript; charset=utf-8';

const page = (file: string | URL, contentType: string, headers: Page['headers'] = {}) => {
  const body = readFileSync(file);
  return (): Page => ({ contentType, body, headers });
};

/**
 * The page loads only its own files. It calls this system, and plays streams of imported events from anywhere. hls.js
 * runs a worker from a blob, and hands the video to the browser as one. No other page may embed the player.
 */
const contentSecurityPolicy = (outputs: Outputs): string => {
  const called = [
    outputs.oidc_issuer,
    outputs.entitlement_url,
    outputs.geolocation_url,
    outputs.distribution_url,
    outputs.chain_rpc_url,
  ];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'worker-src blob:',
    `media-src blob: ${outputs.distribution_url} https:`,
    `img-src data: ${outputs.distribution_url} https:`,
    `connect-src 'self' ${called.join(' ')} https:`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

const own = (name: string, contentType: string, headers?: Page['headers']) =>
  page(new URL(name, import.meta.url), contentType, headers);

/** A script that is made when it is first requested. */
const madeOnce = (make: () => Promise<Uint8Array>) => {
  let made: Promise<Uint8Array> | undefined;
  return async (): Promise<Page> => {
    made ??= make();
    return { contentType: script, body: Buffer.from(await made) };
  };
};

/** One of the page's own scripts, in the syntax of the oldest browsers that play. */
const ownScript = (name: string) =>
  madeOnce(async () => {
    const source = readFileSync(new URL(name, import.meta.url), 'utf8');
    const { code } = await transform(source, { target: oldestBrowsers });
    return Buffer.from(code);
  });

/** The page's own scripts, but for the one that is bundled. */
export const ownScripts = ['player', 'account', 'login', 'order', 'page', 'refusals', 'tickets', 'wallets'];

/** viem uses this function, which browsers have since the end of 2021. */
const hasOwn =
  'Object.hasOwn = Object.hasOwn || ((held, name) => Object.prototype.hasOwnProperty.call(held, name));';

/** The script for wallets and the chain, bundled with viem. */
export const chainBundle = {
  entryPoints: [fileURLToPath(new URL('chain.js', import.meta.url))],
  bundle: true,
  format: 'esm' as const,
  minify: true,
  target: oldestBrowsers,
  banner: { js: hasOwn },
};

const chainScript = () =>
  madeOnce(async () => {
    const { outputFiles } = await build({ ...chainBundle, write: false });
    return outputFiles[0]?.contents ?? new Uint8Array();
  });

export interface PlayerOptions {
  readonly addTicketedEvent: (baseUrl: string) => Promise<void>;
  readonly log: (line: string) => void;
}

export const playerPages = (outputs: Outputs, { addTicketedEvent, log }: PlayerOptions): Pages => {
  let adding: Promise<void> | undefined;
  const settings = async (): Promise<Page> => {
    adding ??= addTicketedEvent(outputs.base_url).catch((error: unknown) => {
      adding = undefined;
      log(
        `the player could not add its event that requires a ticket: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    await adding;
    return {
      contentType: script,
      body: Buffer.from(`window.settings = ${JSON.stringify(outputs)};\n`),
    };
  };
  const html = own('player.html', 'text/html; charset=utf-8', {
    'content-security-policy': contentSecurityPolicy(outputs),
  });
  return new Map<string, () => Page | Promise<Page>>([
    ['', html],
    ['/', html],
    ['/player.css', own('player.css', 'text/css; charset=utf-8')],
    ...ownScripts.map((name) => [`/${name}.js`, ownScript(`${name}.js`)] as const),
    ['/chain.js', chainScript()],
    ['/hls.js', page(require.resolve('hls.js/dist/hls.min.js'), script)],
    ['/settings.js', settings],
  ]);
};
