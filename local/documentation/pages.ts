import { readFileSync } from 'node:fs';
import { createClient, NotFoundError } from '@marquee/client';
import type { Page, Pages } from 'template-runtime/gateway/types.ts';
import type { Outputs } from '../outputs.ts';

const own = (name: string, contentType: string, headers: Page['headers'] = {}) => {
  const body = readFileSync(new URL(name, import.meta.url));
  return (): Page => ({ contentType, body, headers });
};

/** The page loads only its own files, and calls only APIs, which are on the same port. No other page may embed it. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const text = (contentType: string, body: string): Page => ({ contentType, body: Buffer.from(body) });

const demonstrationUser = 'ana';

/**
 * The settings of the page. With the key of the first demonstration application and a token for its OIDC client, a
 * reader can try calls immediately. The other settings are for the code samples for `@marquee/client`.
 */
const settings = async ({ base_url, api_url_b2b, api_url_profile, applications, oidc_issuer }: Outputs) => {
  const [application] = applications;
  const addresses = { baseUrl: base_url, apiUrlB2b: api_url_b2b, apiUrlProfile: api_url_profile };
  return JSON.stringify({
    ...(application && {
      apiKey: application.api_key,
      accessToken: await accessToken(oidc_issuer, application.client_id),
    }),
    addresses,
    methods: Object.keys(createClient({ ...addresses, apiKey: 'none' })),
  });
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

/** Maps each example value in the document to a value that exists in this system. */
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
  // A day without notifications, so that the replay sends none.
  const emptyDay = { from: '2000-01-01T00:00:00Z', to: '2000-01-02T00:00:00Z' };
  const replay = await marquee.startReplay(emptyDay, { idempotencyKey: 'reference page' });
  found.set(exampleReplay, replay.id);
  try {
    found.set(exampleUserSub, await marquee.getApplicationUserSub());
  } catch (error) {
    // The demonstration user does not exist if the system was started with `--empty`.
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

/**
 * Serves the OpenAPI document of this system, and a page on which to read it and try its calls. The files of the page
 * come only from this folder.
 */
export const documentationPages = (outputs: Outputs): Pages => {
  const html = own('reference.html', 'text/html; charset=utf-8', {
    'content-security-policy': contentSecurityPolicy,
  });
  const script = 'text/javascript; charset=utf-8';
  return new Map<string, () => Page | Promise<Page>>([
    ['', html],
    ['/', html],
    ['/openapi.json', async () => text('application/json', await triedDocument(outputs))],
    ['/settings.json', async () => text('application/json', await settings(outputs))],
    ['/reference.css', own('reference.css', 'text/css; charset=utf-8')],
    ['/reference.js', own('reference.js', script)],
    ['/snippets.js', own('snippets.js', script)],
  ]);
};
