export const element = (id) => document.getElementById(id);

/** Scrolls as little as needed. Does not scroll away from a field into which the user is typing. */
export const reveal = (id) => {
  if (document.activeElement instanceof HTMLInputElement) return;
  element(id).scrollIntoView({ block: 'nearest' });
};

export const make = (name, { dataset = {}, ...properties } = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  Object.assign(made.dataset, dataset);
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
