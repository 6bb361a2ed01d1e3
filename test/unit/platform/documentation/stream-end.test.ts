import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { endStreamOperation } from '../../../../shared/ott/http/operations.ts';

const guide = readFileSync(new URL('../../../../docs/customer-guide.md', import.meta.url), 'utf8');
const [, call = ''] = /^#### Release a place\n.*?^```js\n(.*?)^```$/ms.exec(guide) ?? [];

it('the call in the customer guide that releases a place is one that the service accepts', async () => {
  const requests: { readonly url: string; readonly init: RequestInit }[] = [];
  await runInNewContext(`(async () => { ${call} })()`, {
    base: 'https://api.example.com',
    token: 'a-token',
    session: '3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11',
    fetch: async (url: string, init: RequestInit) => {
      requests.push({ url, init });
    },
  });

  expect(requests).toHaveLength(1);
  const [{ url, init } = { url: '', init: {} }] = requests;
  const { route, method, body } = endStreamOperation;
  expect(url).toBe(`https://api.example.com${route.replace('{event_id}', 'cup-final')}`);
  expect(init).toMatchObject({
    method,
    headers: { authorization: 'Bearer a-token', 'content-type': 'application/json' },
    keepalive: true,
  });
  expect(body?.parse(JSON.parse(String(init.body)))).toEqual({
    session: '3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11',
  });
});
