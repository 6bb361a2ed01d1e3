import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createClient, NotFoundError } from '@marquee/client';
import type { Page, Pages } from 'template-runtime/gateway/types.ts';
import type { Outputs } from '../outputs.ts';
import { snippetLanguages, snippetPlugin } from './snippets.ts';

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
    <style>.swagger-ui .opblock-body { overflow-x: auto; }</style>
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/initializer.js"></script>
  </body>
</html>
`;

const demonstrationUser = 'ana';

/**
 * Fills in the key of the first demonstration application and a token of its client, so that calls can be tried
 * immediately.
 */
const initializer = async (outputs: Outputs): Promise<string> => {
  const [application] = outputs.applications;
  const credentials = application && {
    apiKey: application.api_key,
    accessToken: await accessToken(outputs.oidc_issuer, application.client_id),
  };
  return `const credentials = ${JSON.stringify(credentials ?? {})};
const ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  requestSnippetsEnabled: true,
  requestSnippets: ${JSON.stringify({ generators: snippetLanguages, languages: Object.keys(snippetLanguages) })},
  plugins: [${snippetPlugin}],
  onComplete: () => {
    for (const [scheme, value] of Object.entries(credentials)) ui.preauthorizeApiKey(scheme, value);
  },
});
`;
};

const accessToken = async (issuer: string, clientId: string): Promise<string> => {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ sub: demonstrationUser, client_id: clientId }),
  });
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
};

const exampleContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const exampleOrigin = 'https://fans.example.com';
const exampleReplay = '3b5e6f4a9c1d4e0f8a7b6c5d4e3f2a1b';
const exampleUserSub = '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7';

/** Maps each example value to a thing that exists in this system. */
const present = async (outputs: Outputs): Promise<ReadonlyMap<string, string>> => {
  const { base_url: baseUrl, api_url_b2b: apiUrlB2b, api_url_profile: apiUrlProfile } = outputs;
  const { applications, oidc_issuer } = outputs;
  const [application] = applications;
  const found = new Map([[exampleOrigin, new URL(baseUrl).origin]]);
  if (application === undefined) return found;
  const marquee = createClient({
    baseUrl,
    apiUrlB2b,
    apiUrlProfile,
    apiKey: application.api_key,
    accessToken: () => accessToken(oidc_issuer, application.client_id),
  });
  for await (const { address } of marquee.listContracts({ limit: 1 })) {
    found.set(exampleContract, address);
    break;
  }
  // A day without anything to replay.
  const emptyDay = { from: '2000-01-01T00:00:00Z', to: '2000-01-02T00:00:00Z' };
  const replay = await marquee.startReplay(emptyDay, { idempotencyKey: 'reference page' });
  found.set(exampleReplay, replay.id);
  try {
    found.set(exampleUserSub, await marquee.getApplicationUserSub());
  } catch (error) {
    // The system was started without users.
    if (!(error instanceof NotFoundError)) throw error;
  }
  return found;
};

const triedDocument = async (outputs: Outputs): Promise<string> => {
  const response = await fetch(`${outputs.base_url}/openapi.json`);
  let document = await response.text();
  for (const [example, there] of await present(outputs)) document = document.replaceAll(example, there);
  return document;
};

/** The OpenAPI document of this system, and a page to read and try it. The page's files come only from node_modules. */
export const documentationPages = (outputs: Outputs): Pages =>
  new Map<string, () => Page | Promise<Page>>([
    ['', () => text('text/html; charset=utf-8', index)],
    ['/', () => text('text/html; charset=utf-8', index)],
    ['/openapi.json', async () => text('application/json', await triedDocument(outputs))],
    ['/initializer.js', async () => text('text/javascript; charset=utf-8', await initializer(outputs))],
    ['/swagger-ui.css', file('swagger-ui.css', 'text/css; charset=utf-8')],
    ['/swagger-ui-bundle.js', file('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
    ['/favicon.png', file('favicon-32x32.png', 'image/png')],
  ]);
