import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page, Pages } from 'template-runtime/gateway/types.ts';
import type { Outputs } from '../outputs.ts';

const require = createRequire(import.meta.url);

const page = (file: string | URL, contentType: string) => {
  const body = readFileSync(file);
  return (): Page => ({ contentType, body });
};

/** A viewer's client for the demonstration's events, only from node_modules and this folder. */
export const playerPages = ({ base_url, oidc_issuer, applications }: Outputs): Pages => {
  const settings = { baseUrl: base_url, issuer: oidc_issuer, clientId: applications[0]?.client_id };
  const html = page(new URL('player.html', import.meta.url), 'text/html; charset=utf-8');
  const script = 'text/javascript; charset=utf-8';
  return new Map<string, () => Page>([
    ['', html],
    ['/', html],
    ['/player.js', page(new URL('player.js', import.meta.url), script)],
    ['/hls.js', page(require.resolve('hls.js/dist/hls.min.js'), script)],
    [
      '/settings.js',
      () => ({ contentType: script, body: Buffer.from(`window.settings = ${JSON.stringify(settings)};\n`) }),
    ],
  ]);
};
