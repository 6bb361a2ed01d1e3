import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page, Pages } from 'template-runtime/gateway/types.ts';
import openApi from '../../docs/openapi.json' with { type: 'json' };
import { stageDocument } from '../../shared/documentation/stage-document.ts';
import type { Outputs } from '../outputs.ts';

const require = createRequire(import.meta.url);

const file = (name: string, contentType: string) => {
  const body = readFileSync(require.resolve(`swagger-ui-dist/${name}`));
  return () => ({ contentType, body });
};

const text = (contentType: string, body: string): Page => ({ contentType, body: Buffer.from(body) });

const index = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Marquee API</title>
    <link rel="icon" type="image/png" href="/docs/favicon.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/initializer.js"></script>
  </body>
</html>
`;

const demonstrationViewer = 'demonstration-viewer';

/** Calls can be tried at once: the page has the first demonstration application's key and a token of its client. */
const initializer = async ({ oidc_issuer, applications }: Outputs): Promise<string> => {
  const [application] = applications;
  const credentials = application && {
    apiKey: application.api_key,
    accessToken: await accessToken(oidc_issuer, application.client_id),
  };
  return `const credentials = ${JSON.stringify(credentials ?? {})};
const ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  onComplete: () => {
    for (const [scheme, value] of Object.entries(credentials)) ui.preauthorizeApiKey(scheme, value);
  },
});
`;
};

const accessToken = async (issuer: string, clientId: string): Promise<string> => {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ sub: demonstrationViewer, client_id: clientId }),
  });
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
};

/** The OpenAPI document at this system's addresses, and a page to read and try it, out of node_modules alone. */
export const documentationPages = (outputs: Outputs): Pages => {
  const document = stageDocument(openApi, outputs);
  return new Map<string, () => Page | Promise<Page>>([
    ['', () => text('text/html; charset=utf-8', index)],
    ['/', () => text('text/html; charset=utf-8', index)],
    ['/openapi.json', () => text('application/json', JSON.stringify(document))],
    ['/initializer.js', async () => text('text/javascript; charset=utf-8', await initializer(outputs))],
    ['/swagger-ui.css', file('swagger-ui.css', 'text/css; charset=utf-8')],
    ['/swagger-ui-bundle.js', file('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
    ['/favicon.png', file('favicon-32x32.png', 'image/png')],
  ]);
};
