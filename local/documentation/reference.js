import { snippets } from '/docs/snippets.js';

const {
  apiKey = '',
  accessToken = '',
  methods,
  addresses,
} = await (await fetch('/docs/settings.json')).json();
const described = await (await fetch('/docs/openapi.json')).json();

const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== undefined));
  return element;
};

/** Renders code and bold text inside a line of Markdown. */
const inline = (text) =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.startsWith('`')) return h('code', {}, piece.slice(1, -1));
    return piece.startsWith('**') ? h('strong', {}, piece.slice(2, -2)) : piece;
  });

const cellsOf = (row) =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => inline(cell.trim()));

/** Renders the kinds of Markdown block that the document uses: headings, lists, tables and paragraphs. */
const prose = (markdown) =>
  markdown.split(/\n\n+/).map((block) => {
    if (block.startsWith('## ')) return h('h3', {}, inline(block.slice(3)));
    if (block.startsWith('- ')) {
      return h(
        'ul',
        {},
        block.split(/\n(?=- )/).map((item) => h('li', {}, inline(item.slice(2).replaceAll(/\s+/g, ' ')))),
      );
    }
    if (!block.startsWith('|')) return h('p', {}, inline(block.replaceAll('\n', ' ')));
    const [head, , ...rows] = block.trim().split('\n');
    return h(
      'table',
      {},
      h(
        'tr',
        {},
        cellsOf(head).map((cell) => h('th', {}, cell)),
      ),
      rows.map((row) =>
        h(
          'tr',
          {},
          cellsOf(row).map((cell) => h('td', {}, cell)),
        ),
      ),
    );
  });

const resolved = (part) =>
  part?.$ref === undefined
    ? part
    : part.$ref
        .slice(2)
        .split('/')
        .reduce((within, name) => within[name], described);

const block = (label, text) => h('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text);

/** The type of a field, in words. */
const typeOf = (schema) => {
  const { type, enum: values, items, anyOf, oneOf, $ref } = schema ?? {};
  if ($ref !== undefined) return typeOf(resolved(schema));
  if (values !== undefined) return values.join(' or ');
  const several = anyOf ?? oneOf;
  if (several !== undefined) return [...new Set(several.map(typeOf))].join(' or ');
  return type === 'array' ? `list of ${typeOf(items)}` : [type].flat().join(' or ');
};

const fieldsOf = (schema) => {
  const { properties, required = [], items, anyOf } = resolved(schema) ?? {};
  if (properties === undefined)
    return items === undefined ? (anyOf ?? []).flatMap(fieldsOf) : fieldsOf(items);
  return Object.entries(properties).map(([name, field]) => {
    const { description = '' } = { ...resolved(field), ...field };
    return h(
      'tr',
      {},
      h('td', {}, name),
      h('td', {}, typeOf(field), required.includes(name) ? '' : ', optional'),
      h('td', {}, inline(description)),
    );
  });
};

const folded = (title, ...content) =>
  h('details', {}, h('summary', {}, title), h('div', { class: 'body' }, content));

const fieldTable = (title, schema) => {
  const rows = fieldsOf(schema);
  return rows.length === 0 ? undefined : folded(title, h('table', {}, rows));
};

const operationBody = ({ template, method, operation, servers }) => {
  const { parameters = [], security = [], requestBody, responses, description = '' } = operation;
  const [{ url }] = servers;
  const inputs = parameters.map(resolved).map((parameter) => {
    const { name, in: place, required = false, example, description: meaning, schema } = parameter;
    const input = h('input', {
      value: required ? String(example ?? '') : '',
      placeholder: example,
      autocomplete: 'off',
      spellcheck: 'false',
    });
    return {
      name,
      place,
      input,
      value: () =>
        schema?.type === 'integer' && /^\d+$/.test(input.value) ? Number(input.value) : input.value,
      label: h(
        'label',
        {},
        h('code', {}, name),
        required ? '' : h('span', { class: 'soft' }, ' optional'),
        h('span', { class: 'soft' }, meaning === undefined ? '' : ` – ${meaning}`),
        input,
      ),
    };
  });
  const content = requestBody?.content['application/json'];
  const example = content?.example === undefined ? undefined : JSON.stringify(content.example, null, 2);
  const text =
    example === undefined
      ? undefined
      : h('textarea', { rows: String(Math.min(12, example.split('\n').length)), spellcheck: 'false' });
  if (text !== undefined) text.value = example;

  const call = () => {
    const filled = inputs.filter(({ input }) => input.value !== '');
    const of = (place) =>
      Object.fromEntries(
        filled.filter((each) => each.place === place).map(({ name, value }) => [name, value()]),
      );
    const [path, query, ownHeaders] = [of('path'), of('query'), of('header')];
    const credentials = security
      .flatMap((way) => Object.keys(way))
      .map((scheme) => [scheme, document.getElementById(scheme).value])
      .filter(([, value]) => value !== '');
    const { apiKey: key, accessToken: token } = Object.fromEntries(credentials);
    const search = new URLSearchParams(query).toString();
    return {
      operation: operation.operationId,
      template,
      method: method.toUpperCase(),
      url: `${url}${template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''))}${search && `?${search}`}`,
      path,
      query,
      accessToken: token,
      ownHeaders,
      headers: {
        ...(key !== undefined && { 'x-api-key': key }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...ownHeaders,
      },
      body: bodyOf(),
    };
  };
  const bodyOf = () => {
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text.value);
    } catch (error) {
      throw new Error(`the body is not JSON (${error.message})`);
    }
  };

  const answer = h('div', { role: 'status' });
  const tried = async () => {
    const { url: address, method: verb, headers, body } = call();
    const response = await fetch(address, {
      method: verb,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const said = await response.text();
    const pretty =
      said.startsWith('{') || said.startsWith('[') ? JSON.stringify(JSON.parse(said), null, 2) : said;
    return [
      h('p', { class: response.ok ? undefined : 'failed' }, `${response.status} ${response.statusText}`),
      block('The answer', pretty),
    ];
  };
  const send = async () => {
    answer.replaceChildren(
      ...(await tried().catch((error) => [h('p', { class: 'failed' }, `Not sent: ${error.message}`)])),
    );
  };

  const code = h('div');
  const sample = (name, made) => {
    try {
      return block(`${name} sample`, made(call(), { methods, addresses }));
    } catch (error) {
      return h('p', { class: 'failed' }, `No sample: ${error.message}`);
    }
  };
  const choices = Object.entries(snippets).map(([name, made]) =>
    h(
      'button',
      {
        type: 'button',
        'aria-pressed': 'false',
        onclick: ({ currentTarget }) => {
          for (const choice of choices) choice.setAttribute('aria-pressed', String(choice === currentTarget));
          code.replaceChildren(sample(name, made));
        },
      },
      name,
    ),
  );
  const show = () => choices.find((choice) => choice.getAttribute('aria-pressed') === 'true')?.click();
  for (const field of [...inputs.map(({ input }) => input), text]) field?.addEventListener('input', show);
  for (const id of ['apiKey', 'accessToken']) document.getElementById(id).addEventListener('input', show);

  const answers = Object.entries(responses).map(([status, response]) => [status, resolved(response)]);
  const [good] = answers
    .filter(([status]) => status < '400')
    .map(([, response]) => response.content?.['application/json']);
  const first = good?.example ?? Object.values(good?.examples ?? {})[0]?.value;
  const errors = answers
    .filter(([status]) => status >= '400')
    .flatMap(([status, { content: body, description: meaning }]) => {
      const known = Object.entries(body?.['application/json']?.examples ?? {});
      return (known.length === 0 ? [['', { summary: meaning }]] : known).map(([name, { summary }]) =>
        h('tr', {}, h('td', {}, `${status} ${name}`), h('td', {}, inline(summary ?? ''))),
      );
    });

  const shownBody = h(
    'div',
    { class: 'body' },
    h('p', { class: 'soft' }, 'Address: ', h('code', {}, `${url}${template}`)),
    prose(description),
    h(
      'div',
      { class: 'try' },
      h(
        'div',
        {},
        inputs.map(({ label }) => label),
        text && h('label', {}, 'Body', text),
        h('button', { type: 'button', onclick: send }, 'Send'),
        answer,
      ),
      h('div', {}, choices, code),
    ),
    fieldTable('Fields of the body', content?.schema),
    first === undefined ? undefined : folded('An answer', block('An answer', JSON.stringify(first, null, 2))),
    fieldTable('Fields of the answer', good?.schema),
    folded(`Errors (${errors.length})`, h('table', {}, errors)),
  );
  choices[0].setAttribute('aria-pressed', 'true');
  return { shownBody, show };
};

const operations = Object.entries(described.paths).flatMap(
  ([template, { servers = described.servers, ...methods_ }]) =>
    Object.entries(methods_).map(([method, operation]) => ({ template, method, operation, servers })),
);

const operationOf = (each) => {
  const { template, method, operation } = each;
  const details = h(
    'details',
    { id: operation.operationId, class: 'operation' },
    h(
      'summary',
      {},
      h('span', { class: 'method' }, method.toUpperCase()),
      ' ',
      operation.summary,
      ' ',
      h('span', { class: 'path soft' }, template),
    ),
  );
  details.addEventListener('toggle', () => {
    if (!details.open || details.children.length > 1) return;
    const { shownBody, show } = operationBody(each);
    details.append(shownBody);
    show();
  });
  return details;
};

/** Renders a message that is sent to a customer's endpoint. The reader can see it but not try it. */
const messageOf = ([name, { post }]) => {
  const [content] = Object.values(post.requestBody?.content ?? {});
  const example = content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
  return h(
    'details',
    { id: name, class: 'operation' },
    h('summary', {}, h('span', { class: 'method' }, 'POST'), ' ', post.summary),
    h(
      'div',
      { class: 'body' },
      prose(post.description ?? ''),
      example && block('A message', JSON.stringify(example, null, 2)),
      fieldTable('Fields of the message', content?.schema),
    ),
  );
};

const idOf = (name) => name.toLowerCase().replaceAll(' ', '-');
const sections = described.tags
  .map(({ name, description }) => ({
    name,
    description,
    each: [
      ...operations.filter(({ operation }) => operation.tags.includes(name)).map(operationOf),
      ...Object.entries(described.webhooks)
        .filter(([, { post }]) => post.tags.includes(name))
        .map(messageOf),
    ],
  }))
  .filter(({ each }) => each.length > 0);

document
  .getElementById('sections')
  .append(
    ...[['introduction', 'Introduction'], ...sections.map(({ name }) => [idOf(name), name])].map(
      ([id, name]) => h('a', { href: `#${id}` }, name),
    ),
    h('a', { href: '/docs/openapi.json' }, 'OpenAPI document'),
  );
const credential = (id, label, value) =>
  h('label', {}, label, h('input', { id, value, autocomplete: 'off', spellcheck: 'false' }));
document
  .getElementById('reference')
  .append(
    h(
      'section',
      { 'aria-labelledby': 'introduction' },
      h('h2', { id: 'introduction' }, 'Introduction'),
      prose(described.info.description),
    ),
    h(
      'section',
      { 'aria-labelledby': 'credentials' },
      h('h2', { id: 'credentials' }, 'Credentials of the calls below'),
      credential('apiKey', 'API key', apiKey),
      credential('accessToken', 'Access token', accessToken),
    ),
    ...sections.map(({ name, description, each }) =>
      h(
        'section',
        { 'aria-labelledby': idOf(name) },
        h('h2', { id: idOf(name) }, name),
        h('p', { class: 'soft' }, description),
        each,
      ),
    ),
  );

/** Everything that a part of the document says, with the parts that it refers to. */
const textOf = (part, seen = new Set()) => {
  if (typeof part !== 'object' || part === null) return String(part);
  if (seen.has(part)) return '';
  seen.add(part);
  const whole = resolved(part);
  const inner = whole === part ? '' : ` ${textOf(whole, seen)}`;
  return Object.entries(part)
    .map(([name, value]) => (name === '$ref' ? '' : `${name} ${textOf(value, seen)}`))
    .join(' ')
    .concat(inner);
};
/** What the document says about an operation, without what it says about the errors of every operation. */
const operationText = ({ responses = {}, ...operation }) => {
  const own = Object.entries(responses).map(([status, response]) => {
    if (status < '400') return textOf(response);
    return Object.entries(response.content?.['application/json']?.examples ?? {})
      .map(([code, { summary }]) => `${code} ${summary}`)
      .join(' ');
  });
  return [textOf(operation), ...own].join(' ');
};
const searchable = new Map(
  [
    ...operations.map(({ template, method, operation }) => [
      operation.operationId,
      `${method} ${template} ${operationText(operation)}`,
    ]),
    ...Object.entries(described.webhooks).map(([name, { post }]) => [name, `post ${operationText(post)}`]),
  ].map(([id, text]) => [id, text.toLowerCase()]),
);

const searchField = document.getElementById('search');
/** Shows only the calls and messages that contain every word of the search. */
const search = () => {
  const words = searchField.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const section of document.querySelectorAll('#reference > section')) {
    const calls = [...section.querySelectorAll('details.operation')];
    for (const call of calls) {
      call.hidden = !words.every((word) => searchable.get(call.id).includes(word));
      if (!call.hidden) found += 1;
    }
    section.hidden = words.length > 0 && calls.every((call) => call.hidden);
  }
  const nothing = 'Nothing found. Search for another word, a path, a field or an error code.';
  const count = found === 1 ? '1 call or message' : `${found} calls and messages`;
  document.getElementById('found').textContent = words.length === 0 ? '' : found === 0 ? nothing : count;
};
searchField.addEventListener('input', search);

/** Opens the operation that the fragment of the page's URL links to. */
const openLinked = () => {
  searchField.value = '';
  search();
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (linked instanceof HTMLDetailsElement) linked.open = true;
  linked?.scrollIntoView();
};
addEventListener('hashchange', openLinked);
openLinked();
