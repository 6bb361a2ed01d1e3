import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { transformSync } from 'esbuild';

/** Serves the page on an origin of its own, with the addresses of the local system. */
const { PORT = '6180', CLIENT_ID = 'arena-web', OUTPUTS = '.local/outputs.json' } = process.env;

const outputs = JSON.parse(readFileSync(OUTPUTS, 'utf8'));
const settings = {
  baseUrl: outputs.base_url,
  profileUrl: outputs.api_url_profile,
  issuer: outputs.oidc_issuer,
  clientId: CLIENT_ID,
};

/** The oldest browsers that the page runs in: those of televisions of 2021, and Safari of iOS 15.4. */
const target = ['chrome76', 'safari15.4'];

const fileOf = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
const files: Readonly<Record<string, readonly [type: string, body: Buffer | string]>> = {
  '/': ['text/html; charset=utf-8', fileOf('index.html')],
  '/page.js': ['text/javascript', transformSync(fileOf('page.js'), { target }).code],
  '/hls.js': ['text/javascript', readFileSync(new URL(import.meta.resolve('hls.js/dist/hls.min.js')))],
  '/settings.json': ['application/json', JSON.stringify(settings)],
};

const server = createServer(({ url = '/' }, response) => {
  const [path = '/'] = url.split('?');
  const [type, body] = (Object.hasOwn(files, path) && files[path]) || ['text/plain', undefined];
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The page is at http://127.0.0.1:${PORT}/`));
