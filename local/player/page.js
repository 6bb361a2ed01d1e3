export const element = (id) => document.getElementById(id);

/** Scrolls as little as needed. Does not scroll away from a field into which the user is typing. */
export const reveal = (id) => {
  if (document.activeElement instanceof HTMLInputElement) return;
  element(id).scrollIntoView({ block: 'nearest' });
};

/** Replaces the children of an element. */
export const fill = (parent, ...children) => {
  parent.textContent = '';
  parent.append(...children);
};

/** A random UUID. Browsers have `crypto.randomUUID` since 2021. */
export const newId = () =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [random] = crypto.getRandomValues(new Uint8Array(1));
    return (digit ^ (random & (15 >> (digit / 4)))).toString(16);
  });

export const make = (name, { dataset = {}, label, ...properties } = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  Object.assign(made.dataset, dataset);
  if (label !== undefined) made.setAttribute('aria-label', label);
  made.append(...children);
  return made;
};

export const button = (text, work, properties = {}) => {
  const made = make('button', { type: 'button', textContent: text, ...properties });
  made.addEventListener('click', async () => {
    made.disabled = true;
    try {
      await work();
    } finally {
      made.disabled = false;
    }
  });
  return made;
};

export const call = async (url, { body, headers = {}, ...options } = {}) => {
  const response = await fetch(url, {
    ...options,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    ok: response.ok,
    status: response.status,
    saidAt: Date.parse(response.headers.get('date') ?? ''),
    retryAfter: response.headers.get('retry-after'),
    /** The address of the list's next page. `undefined` on the last one. */
    next: /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1],
    body: text === '' ? undefined : JSON.parse(text),
  };
};

/** An address, shortened for display. */
export const short = (address) => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** The row of a list that could not be read. `again` reads it once more. */
export const unread = (what, error, again) =>
  make(
    'li',
    { className: 'soft' },
    `${what} could not be read. ${error.shortMessage ?? error.message} `,
    button('Read again', again, { className: 'quiet' }),
  );
