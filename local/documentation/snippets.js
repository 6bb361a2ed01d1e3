/**
 * Creates code samples for one call. The call is `{ operation, method, url, path, query, headers, body }`, with the
 * values that the page would send.
 */

const quoted = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;
const json = (value) => JSON.stringify(value, null, 2);

const curl = ({ method, url, headers, body }) =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n');

/** Operations for which the method of `@marquee/client` has another name, or takes only a part of the body. */
const inOtherWords = {
  mintBatch: ({ body, ...call }) => ({ ...call, body: body.tokens }),
  readUserData: ({ body, ...call }) => ({ ...call, body: body.application_user_sub }),
  readUserDataBatch: ({ body, ...call }) => ({ ...call, body: body.application_user_subs }),
  exchangeUserSubs: ({ body, ...call }) => ({ ...call, body: body.user_subs }),
  createWalletChallenge: (call) => ({ ...call, operation: 'challengeWallet' }),
};

const paged = new Set(['listContracts', 'listTokens', 'listEvents', 'listNotifications']);

/** The idempotency key, as an argument for calls that accept one. */
const keyOf = ({ takesKey, headers }) =>
  takesKey ? [`{ idempotencyKey: ${JSON.stringify(headers['Idempotency-Key'] ?? 'order-4711')} }`] : [];

const sampleOf = (call, { methods, addresses }) => {
  const said = (inOtherWords[call.operation] ?? ((same) => same))(call);
  const needs = call.headers['x-api-key'] === undefined ? 'accessToken' : 'apiKey';
  const given = {
    ...addresses,
    [needs]: needs === 'apiKey' ? call.headers['x-api-key'] : 'the user’s token',
  };
  const head = `import { createClient } from '@marquee/client';\n\nconst marquee = createClient(${json(given)});`;
  const query = Object.keys(call.query).length === 0 ? [] : [json(call.query)];
  if (!methods.includes(said.operation)) {
    const params = { path: call.path, query: call.query };
    const body = call.body === undefined ? {} : { body: call.body };
    return `${head}\nconst { data } = await marquee.http.${call.method}(${JSON.stringify(call.template)}, ${json({ params, ...body })});\nconsole.log(data);`;
  }
  const words = [
    ...Object.values(call.path).map((value) => JSON.stringify(value)),
    ...(said.body === undefined ? [] : [json(said.body)]),
    ...query,
    ...keyOf(call),
  ].join(', ');
  return paged.has(said.operation)
    ? `${head}\nfor await (const item of marquee.${said.operation}(${words})) console.log(item);`
    : `${head}\nconsole.log(await marquee.${said.operation}(${words}));`;
};

const python = ({ method, url, headers, body }) =>
  [
    'import json, urllib.request',
    '',
    `request = urllib.request.Request(${JSON.stringify(url)}, method=${JSON.stringify(method)},`,
    `    headers=${json(headers).replaceAll('\n', '\n    ')}${body === undefined ? ')' : ','}`,
    ...(body === undefined
      ? []
      : [`    data=json.dumps(json.loads(${JSON.stringify(JSON.stringify(body))})).encode())`]),
    'print(urllib.request.urlopen(request).read().decode())',
  ].join('\n');

export const snippets = { '@marquee/client': sampleOf, curl, Python: python };
