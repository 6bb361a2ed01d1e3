/*
 * Creates code samples for one call, with the values that the page would send. `headers` has all headers, `ownHeaders`
 * only those that the operation declares.
 */

const quoted = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;
const json = (value) => JSON.stringify(value, null, 2);

const curl = ({ method, url, headers, body }) =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n');

/** Operations for which the method of `@marquee/client` takes only this field of the body. */
const onlyField = {
  mintBatch: 'tokens',
  readUserData: 'application_user_sub',
  readUserDataBatch: 'application_user_subs',
  exchangeUserSubs: 'user_subs',
};
const methodNames = { createWalletChallenge: 'challengeWallet' };

const paged = new Set(['listContracts', 'listTokens', 'listEvents', 'listNotifications']);

/** Headers that are options of a method, by operation. Each operation with an idempotency key has that option. */
const optionOf = ({ operation }, header) => {
  if (header === 'Idempotency-Key') return 'idempotencyKey';
  return operation === 'putUserData' && header === 'If-Match' ? 'ifMatch' : undefined;
};

/**
 * The arguments of the client's method for a call, as code. `undefined` if there is no method that sends everything in
 * the form.
 */
const methodArguments = (call, methods) => {
  const { operation, path, query, body, ownHeaders } = call;
  const isPaged = paged.has(operation);
  const options = Object.entries(ownHeaders).map(([header, value]) => [optionOf(call, header), value]);
  const field = onlyField[operation];
  const isOtherBody = field !== undefined && Object.keys(body).join() !== field;
  const isOtherQuery = Object.keys(query).length > 0 && (!isPaged || query.cursor !== undefined);
  const isUnknown = !methods.includes(methodNames[operation] ?? operation);
  if (isUnknown || isOtherBody || isOtherQuery || options.some(([name]) => name === undefined))
    return undefined;
  return [
    ...Object.values(path),
    ...(body === undefined ? [] : [field === undefined ? body : body[field]]),
    ...(Object.keys(query).length > 0 ? [query] : []),
    ...(options.length > 0 ? [Object.fromEntries(options)] : []),
  ]
    .map((each) => (typeof each === 'string' ? JSON.stringify(each) : json(each)))
    .join(', ');
};

const sampleOf = (call, { methods, addresses }) => {
  const { operation, template, method, path, query, headers, body } = call;
  const { 'x-client-id': clientId, ...ownHeaders } = call.ownHeaders;
  const apiKey = headers['x-api-key'];
  const given = {
    ...addresses,
    ...(apiKey !== undefined && { apiKey }),
    ...(call.accessToken !== undefined && { accessToken: call.accessToken }),
    ...(clientId !== undefined && { clientId }),
  };
  const head = `import { createClient } from '@marquee/client';\n\nconst marquee = createClient(${json(given)});`;
  const words = methodArguments({ ...call, ownHeaders }, methods);
  if (words === undefined) {
    const params = { path, query, header: ownHeaders };
    const filled = Object.fromEntries(Object.entries(params).filter(([, of]) => Object.keys(of).length > 0));
    const options = { params: filled, ...(body !== undefined && { body }) };
    return `${head}\nconst { data } = await marquee.http.${method}(${JSON.stringify(template)}, ${json(options)});\nconsole.log(data);`;
  }
  const name = methodNames[operation] ?? operation;
  return paged.has(operation)
    ? `${head}\nfor await (const item of marquee.${name}(${words})) console.log(item);`
    : `${head}\nconsole.log(await marquee.${name}(${words}));`;
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
