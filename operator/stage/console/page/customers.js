import { ask, command, failureText, fields, h, table, timeOf } from './elements.js';

const viewers = {
  anonymous: 'not logged in',
  bought: 'logged in, and has bought the event',
  'not-bought': 'logged in, and has not bought the event',
  denied: 'logged in, and is denied access',
  unverified: 'logged in, while the entitlement service is down',
  vip: 'a VIP',
};

const tones = { passes: 'good', refuses: 'bad', 'does not apply': 'faint' };

const explanation = ({ title, verdict, steps }) => [
  h(
    'p',
    {},
    `${title}: `,
    h(
      'strong',
      { class: verdict === 'playable' ? 'good' : 'bad', id: 'verdict' },
      verdict.replaceAll('-', ' '),
    ),
  ),
  table(
    [
      ['step', (row) => row.step],
      ['outcome', (row) => h('span', { class: tones[row.outcome] }, row.outcome)],
      ['because', (row) => row.because],
    ],
    steps,
  ),
];

const whySection = (client) => {
  const result = h('div', { id: 'why-result' });
  const field = (name, placeholder) =>
    h('input', {
      name,
      placeholder,
      // As wide as what it asks for.
      size: String(placeholder.length),
      'aria-label': placeholder,
      required: name === 'event' || name === 'client',
    });
  const form = h(
    'form',
    {
      id: 'why',
      onsubmit: (event) => {
        event.preventDefault();
        const question = Object.fromEntries(new FormData(form));
        ask('why', question)
          .then((answer) => {
            result.replaceChildren(...explanation(answer), command(answer.command));
          })
          .catch((error) => result.replaceChildren(failureText(error)));
      },
    },
    field('event', 'event id'),
    field('client', 'client or application'),
    field('country', 'country, such as DE'),
    field('user', 'user whose tickets are looked for'),
    h(
      'select',
      { name: 'viewer', 'aria-label': 'viewer' },
      Object.entries(viewers).map(([value, text]) => h('option', { value }, text)),
    ),
    h('button', {}, 'Why?'),
  );
  form.elements.client.value = client ?? '';
  return h(
    'section',
    { class: 'wide' },
    h('h2', {}, 'May this viewer play an event, and if not, why?'),
    form,
    result,
  );
};

const used = (made, limit) => h('span', { class: made >= limit ? 'bad' : undefined }, `${made} of ${limit}`);

const told = ({ published, delivered, failed, since, is_all }) => {
  if (published === 0) return h('p', {}, 'No notifications in the last 24 hours.');
  const among = is_all ? 'in the last 24 hours' : 'only the newest hundred are counted';
  return h(
    'p',
    { id: 'told' },
    `${published} published (${among}, since `,
    timeOf(since),
    ') · ',
    h('span', { class: delivered === published ? 'good' : undefined }, `${delivered} delivered`),
    ' · ',
    h('span', { class: failed > 0 ? 'bad' : 'good' }, `${failed} failed`),
  );
};

const seconds = (milliseconds) =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`;

/** A table of failed deliveries, each with the endpoint's answer. */
const failed = (failures) => {
  const rows = failures.flatMap(({ deliveries, ...sent }) =>
    deliveries.filter(({ status }) => status === 'failed').map((delivery) => ({ ...sent, ...delivery })),
  );
  if (rows.length === 0) return [];
  return table(
    [
      ['failed', (row) => timeOf(row.at)],
      ['notification', (row) => h('a', { href: `#find/${row.id}` }, row.operation_type)],
      ['endpoint', (row) => row.endpoint],
      [
        'answer',
        (row) => h('span', { class: 'bad' }, `${row.status_code ?? ''} ${row.response ?? ''}`.trim()),
      ],
      ['attempts', (row) => row.attempts],
      ['after', (row) => (row.dwell_time_ms === null ? undefined : seconds(row.dwell_time_ms))],
      ['sent again', (row) => timeOf(row.redriven_at) ?? 'not yet'],
      [
        'repeat of',
        (row) => {
          const of = row.redrive_of ?? row.replay_of;
          return of && h('a', { href: `#find/${of}` }, row.redrive_of ? 'redrive' : 'replay');
        },
      ],
    ],
    rows,
  );
};

/** What only a customer's application has. */
const customerParts = ({ usage, notifications, failures, rules, countries, endpoints }) => [
  h('h3', {}, `Requested on ${usage.day} (UTC)`),
  h(
    'p',
    {},
    'contracts: ',
    used(usage.contracts, usage.contracts_per_day),
    ' · mints: ',
    used(usage.mints, usage.mints_per_day),
  ),
  h('h3', {}, 'Notifications'),
  told(notifications),
  failed(failures),
  h('h3', {}, 'Endpoints'),
  table(
    [
      ['endpoint', (row) => row.endpoint],
      ['form', (row) => row.form],
      ['last delivered', (row) => timeOf(row.last_success)],
      [
        'failing since',
        (row) =>
          row.failing_since &&
          h('span', { class: 'bad' }, timeOf(row.failing_since), `: ${row.last_failure}`),
      ],
    ],
    endpoints,
  ),
  h('h3', {}, "What the customer's viewers see"),
  h(
    'ul',
    {},
    (rules.length === 0 ? ['no rule, so no event is shown'] : rules).map((rule) => h('li', {}, rule)),
    h('li', {}, countries),
  ),
];

const isCustomer = ({ kind }) => kind === 'customer';

const application = (stage, shown) => {
  const { id, keys, usage, notifications, failures, rules, countries, endpoints, ...known } = shown;
  return h(
    'section',
    { class: 'wide', id: 'customer' },
    h('h2', {}, `${isCustomer(shown) ? 'Customer' : 'Application'} ${id}`),
    fields(known),
    h('h3', {}, 'Keys'),
    table(
      [
        ['id', (row) => h('code', {}, row.id)],
        ['state', (row) => row.state],
        ['created', (row) => timeOf(row.created_at)],
        ['accepted until', (row) => timeOf(row.ends_at)],
      ],
      keys,
    ),
    isCustomer(shown) ? customerParts(shown) : undefined,
    command(`${stage.command}applications show ${id}`),
  );
};

const audiences = { all: 'all users', linked: 'linked users' };

export const showCustomers = (view, { argument, stage }) => {
  const list = h(
    'section',
    { class: 'wide' },
    h('h2', {}, 'Customers'),
    h('p', { class: 'faint' }, 'Reading …'),
  );
  view.append(list);
  let isShown = true;
  const read = async () => {
    try {
      const [all, chosen] = await Promise.all([
        ask('customers'),
        argument === '' ? undefined : ask(`customers/${encodeURIComponent(argument)}`),
      ]);
      if (!isShown) return;
      list.replaceChildren(
        h('h2', {}, 'Customers'),
        table(
          [
            ['id', (row) => h('a', { href: `#customers/${encodeURIComponent(row.id)}` }, row.id)],
            ['name', (row) => row.name],
            ['kind', (row) => row.kind],
            ['tier', (row) => row.tier],
            ['notified of', (row) => audiences[row.audience] ?? row.audience],
            ['contracts a day', (row) => row.contracts_per_day],
            ['mints a day', (row) => row.mints_per_day],
            ['keys', (row) => row.keys],
            ['clients', (row) => row.clients?.join(', ')],
          ],
          all,
        ),
      );
      if (chosen !== undefined) view.append(application(stage, chosen));
      view.append(whySection(chosen?.clients && (chosen.clients[0] ?? chosen.id)));
    } catch (error) {
      list.replaceChildren(failureText(error));
    }
  };
  read();
  return () => {
    isShown = false;
  };
};
