import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page, Pages } from 'template-runtime/gateway/types.ts';
import type { Outputs } from '../outputs.ts';

const require = createRequire(import.meta.url);
const script = 'text/javascript; charset=utf-8';

const page = (file: string | URL, contentType: string) => {
  const body = readFileSync(file);
  return (): Page => ({ contentType, body });
};

const own = (name: string, contentType: string) => page(new URL(name, import.meta.url), contentType);

/** The script for wallets and the chain, bundled with viem. It is bundled when it is first requested. */
const chainScript = () => {
  let bundled: Promise<Buffer> | undefined;
  return async (): Promise<Page> => {
    bundled ??= build({
      entryPoints: [fileURLToPath(new URL('chain.js', import.meta.url))],
      bundle: true,
      format: 'esm',
      minify: true,
      write: false,
    }).then(({ outputFiles: [file] }) => Buffer.from(file?.contents ?? []));
    return { contentType: script, body: await bundled };
  };
};

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
  const html = own('player.html', 'text/html; charset=utf-8');
  return new Map<string, () => Page | Promise<Page>>([
    ['', html],
    ['/', html],
    ['/player.css', own('player.css', 'text/css; charset=utf-8')],
    ...['player.js', 'page.js', 'refusals.js', 'wallets.js'].map(
      (name) => [`/${name}`, own(name, script)] as const,
    ),
    ['/chain.js', chainScript()],
    ['/hls.js', page(require.resolve('hls.js/dist/hls.min.js'), script)],
    ['/settings.js', settings],
  ]);
};
