/** Creates an element with attributes, listeners (such as `onclick`) and children. Text is never parsed as HTML. */
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(
    ...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== undefined && child !== null),
  );
  return element;
};

export const ago = (seconds) => {
  if (seconds === undefined || seconds === null) return '';
  if (seconds < 120) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
};

const shown = (value) =>
  Array.isArray(value)
    ? value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : item)).join(', ')
    : String(value);

const elsewhere = (href) => h('a', { href, target: '_blank', rel: 'noreferrer' }, href);

/** The fields of a record. A field of a nested object gets a dotted name, such as `wallets.origins`. */
const fieldsOf = (record) =>
  Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? fieldsOf(value).map(([inner, each]) => [`${name}.${inner}`, each])
      : [[name, value]],
  );

/** A list of fields and their values. Fields without a value are left out. */
export const fields = (record) =>
  h(
    'dl',
    {},
    fieldsOf(record)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .flatMap(([name, value]) => [
        h('dt', {}, name.replaceAll('_', ' ')),
        h('dd', {}, name === 'explorer' ? elsewhere(value) : shown(value)),
      ]),
  );

/** Each column is a pair: its heading, and a function that returns a row's cell. */
export const table = (columns, rows) => {
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row) ?? ''));
  const classOf = (column) =>
    cells.length > 0 && cells.every((row) => typeof row[column] === 'number') ? 'number' : undefined;
  const line = (tag, contents) =>
    h(
      'tr',
      {},
      contents.map((content, column) => h(tag, { class: classOf(column) }, content)),
    );
  const head = line(
    'th',
    columns.map(([heading]) => heading),
  );
  const body = cells.map((row) => line('td', row));
  return h(
    'div',
    // `tabindex` lets users without a mouse focus the table and scroll it by keyboard.
    { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Table' },
    h('table', {}, h('thead', {}, head), h('tbody', {}, body)),
  );
};

/** A complete command, with a button that copies it. */
export const command = (text) => {
  const copy = h('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${text}` }, 'Copy');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2_000);
  });
  return h('p', { class: 'command' }, h('code', {}, text), ' ', copy);
};

const localTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** Shows a time as local time with its zone, and as ISO 8601 on hover. `time` is anything that `new Date` accepts. */
export const timeOf = (time) => {
  if (time === undefined || time === null) return undefined;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const iso = date.toISOString();
  return h('time', { datetime: iso, title: iso }, localTime.format(date));
};

export const ask = async (path, query = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== '' && value !== undefined);
  const response = await fetch(`/console/api/${path}?${new URLSearchParams(given)}`);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error(answer.message ?? `The console answered ${response.status}. Open it again.`);
  return answer;
};

export const failureText = (error) =>
  h('p', { class: 'bad' }, error instanceof Error ? error.message : String(error));
