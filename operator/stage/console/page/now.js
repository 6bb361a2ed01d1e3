import { ago, command, failureText, h, table, timeOf } from './elements.js';

const states = { mined: 'mined', 'in-flight': 'in-flight', waiting: 'queued', stuck: 'stuck', gap: 'gap' };

/** The section of the runbook, in a tab of its own: this page goes on with its readings. */
const runbookLink = (section) =>
  h('a', { href: `/console/runbook#${section}`, target: '_blank' }, `docs/runbook.md#${section}`);

const strip = (nonces) =>
  h(
    'div',
    {
      class: 'strip',
      role: 'img',
      'aria-label': nonces.map((run) => `${run.count} ${run.state}`).join(', '),
    },
    nonces.map(({ state, from, count }) => {
      const through = count === 1 ? `${from}` : `${from} to ${from + count - 1}`;
      const segment = h('span', { class: states[state], title: `${state}: nonce ${through}` }, String(count));
      segment.style.flexGrow = String(count);
      return segment;
    }),
  );

const shortages = {
  none: 'no funds, so every mint is refused: ',
  low: 'low funds: ',
};

const fundsOf = ({ balance, funds, funds_days }) => {
  if (balance === undefined) return h('span', { class: 'bad' }, 'balance unknown: no RPC endpoint answers');
  const coins = `${Number(balance).toLocaleString('en', { maximumFractionDigits: 2 })} coins`;
  const isShort = funds === 'none' || funds === 'low' || (funds_days !== undefined && funds_days < 3);
  const tone = isShort ? 'bad' : undefined;
  const rate =
    funds_days === undefined
      ? ', no spending measured in the last hour'
      : `, enough for ${funds_days > 1_000 ? 'more than 1,000' : funds_days} days at the last hour's rate`;
  return h('span', { class: tone }, `${shortages[funds] ?? ''}${coins}${rate}`);
};

const head = (signer) => {
  if (signer.head_nonce === undefined) {
    return signer.gaps > 0
      ? h('span', { class: 'waiting' }, 'a nonce gap holds up the transactions behind it')
      : h('span', { class: 'good' }, 'no transaction waits for the chain');
  }
  const tone = signer.stuck ? 'bad' : 'waiting';
  const fee = `fee ${signer.head_fee_gwei} of at most ${signer.fee_ceiling_gwei} gwei`;
  return h(
    'span',
    { class: tone },
    `${signer.stuck ? 'stuck: ' : ''}nonce ${signer.head_nonce} (${signer.head_kind}) has waited for ${ago(signer.head_age_seconds)}, attempt ${signer.head_attempts}, ${fee}${signer.at_ceiling ? ', at the fee ceiling' : ''}`,
  );
};

const signers = (content, stage) => [
  h(
    'p',
    { class: 'faint' },
    Object.entries(states).map(([state, name]) => [h('span', { class: `key ${name}` }), state]),
  ),
  ...content.map((signer) =>
    h(
      'div',
      { 'data-signer': signer.signer },
      h(
        'h3',
        {},
        `Signer ${signer.signer} `,
        h('code', { class: 'faint' }, signer.address),
        signer.draining ? ' draining: gets no new collections' : '',
      ),
      signer.nonces.length === 0 ? undefined : strip(signer.nonces),
      h('div', {}, head(signer), ' · ', fundsOf(signer)),
    ),
  ),
  command(`${stage.command}transactions list`),
];

const notifications = (content, stage) => [
  table(
    [
      ['in the last five minutes', (row) => row[0]],
      ['count', (row) => row[1]],
    ],
    [
      ['published', content.published],
      ['delivered', content.delivered],
      ['failed', content.failed],
    ],
  ),
  h(
    'p',
    {},
    h(
      'span',
      { class: content.undelivered.length > 0 ? 'bad' : 'good' },
      `${content.undelivered.length} endpoints with undelivered notifications${
        content.undelivered.length > 0
          ? ` about ${content.undelivered.reduce((sum, { subjects }) => sum + subjects, 0)} subjects`
          : ''
      }`,
    ),
    ', ',
    h(
      'span',
      { class: content.failed_changes > 0 ? 'bad' : 'good' },
      `${content.failed_changes} changes that could not be published`,
    ),
  ),
  h(
    'p',
    { class: 'faint' },
    content.publisher_lag_seconds === undefined
      ? 'No change of a user or of a transaction was published in the last five minutes.'
      : `The publisher is ${ago(content.publisher_lag_seconds)} behind.`,
  ),
  h(
    'p',
    { class: 'faint' },
    content.event_publisher_lag_seconds === undefined
      ? 'No change of an event was published in the last five minutes.'
      : `The publisher of events is ${ago(content.event_publisher_lag_seconds)} behind.`,
  ),
  table(
    [
      ['customer', (row) => row.application],
      ['endpoints', (row) => row.endpoints],
      ['failing', (row) => h('span', { class: row.failing > 0 ? 'bad' : 'good' }, String(row.failing))],
      ['last delivered', (row) => timeOf(row.last_success)],
    ],
    content.customers,
  ),
  ...content.failing.map(({ application, endpoint, failing_since, last_failure }) =>
    h(
      'p',
      { class: 'bad' },
      `${application}'s endpoint ${endpoint} has accepted no notification since `,
      timeOf(failing_since),
      `: ${last_failure}`,
    ),
  ),
  command(`${stage.command}dead-letters list`),
];

const services = (content, stage) => [
  table(
    [
      ['outside service', (row) => row.service],
      [
        'no answer in the last five minutes',
        (row) =>
          row.unavailable === undefined
            ? h('span', { class: 'faint' }, 'not counted')
            : h('span', { class: row.unavailable > 0 ? 'bad' : 'good' }, String(row.unavailable)),
      ],
      [
        'circuit open',
        (row) => h('span', { class: row.circuit_open === 'no' ? 'good' : 'bad' }, row.circuit_open),
      ],
      ['down since', (row) => row.out_since && h('span', { class: 'bad' }, timeOf(row.out_since))],
    ],
    content.outside,
  ),
  h('h3', {}, 'Calls in the last five minutes'),
  table(
    [
      ['call', (row) => row.call],
      ['answered', (row) => row.answered],
      ['refused', (row) => row.refused],
      ['failed', (row) => row.failed],
    ],
    content.calls,
  ),
  command(`${stage.command}smoke`),
];

const alarms = ({ alarms: on, not_evaluated: notEvaluated, alarms_exist: exist }) => [
  !exist ? h('p', { class: 'waiting' }, 'This stage has no alarms.') : undefined,
  exist && on.length === 0 ? h('p', { class: 'good' }, 'No alarm is on.') : undefined,
  ...on.map((alarm) =>
    h(
      'div',
      {},
      h('h3', { class: 'bad' }, alarm.alarm),
      h('p', {}, alarm.what_goes_wrong, ' ', h('span', { class: 'faint' }, 'since ', timeOf(alarm.since))),
      alarm.runbook ? h('p', { class: 'faint' }, 'What to do: ', runbookLink(alarm.runbook)) : undefined,
    ),
  ),
  notEvaluated.length === 0
    ? undefined
    : h('p', { class: 'waiting' }, `${notEvaluated.length} not evaluated: ${notEvaluated.join(', ')}`),
];

const verdict = ({ summary, problems, ending, unknown }) => [
  h('p', { class: problems.length === 0 ? 'good verdict' : 'bad verdict' }, summary),
  h(
    'ol',
    {},
    problems.map((problem) =>
      h(
        'li',
        { class: 'problem' },
        h('strong', {}, problem.what),
        problem.since ? h('span', {}, ' since ', timeOf(problem.since)) : undefined,
        `${problem.meaning.startsWith('so ') ? ', ' : ': '}${problem.meaning.replace(/\.$/, '')}. `,
        problem.runbook ? runbookLink(problem.runbook) : undefined,
        problem.command ? command(problem.command) : undefined,
      ),
    ),
  ),
  ending.map((alarm) =>
    h(
      'p',
      { class: 'faint' },
      `The cause of ${alarm} is gone. The alarm is still on and will return to OK by itself.`,
    ),
  ),
  unknown === undefined ? undefined : h('p', { class: 'waiting' }, unknown),
];

const panels = {
  verdict: { title: 'Verdict', draw: verdict, wide: true },
  signers: { title: 'Signers', draw: signers, wide: true },
  notifications: { title: 'Notifications', draw: notifications },
  services: { title: 'Services', draw: services },
  alarms: { title: 'Alarms', draw: alarms, wide: true },
};

/**
 * All panels are read at once, every four seconds or less often. A reading is marked as out of date when it is older than
 * three intervals.
 */
const shortestMilliseconds = 4_000;
const intervals = 3;

/** Shows the stage's present state while the page is visible. Returns a function that stops this. */
export const showNow = (view, { stage }) => {
  const banner = h('p', { id: 'lost', class: 'bad', role: 'alert', hidden: true });
  view.append(banner);
  const sections = Object.fromEntries(
    Object.entries(panels).map(([name, { title, wide }]) => {
      const body = h('div', {}, h('p', { class: 'faint' }, 'Reading …'));
      const time = h('span', { class: 'faint' });
      const section = h(
        'section',
        { id: `panel-${name}`, class: wide ? 'wide' : undefined },
        h('h2', {}, `${title} `, time),
        body,
      );
      view.append(section);
      return [name, { section, body, time, at: undefined, failure: undefined }];
    }),
  );
  let source;
  let lostSince;
  let begunAt;
  let interval = shortestMilliseconds;
  const show = ({ panel, at, content, failure }) => {
    const shown = sections[panel];
    const { body, time } = shown;
    // A panel that cannot be read keeps the time of its last successful reading.
    shown.at = at;
    shown.failure = failure;
    time.replaceChildren(shown.at === undefined ? 'never read' : 'as of ', timeOf(shown.at));
    body.replaceChildren(
      ...(failure === undefined ? [] : [failureText(failure)]),
      ...(content === undefined ? [] : panels[panel].draw(content, stage).flat(9).filter(Boolean)),
    );
  };
  const judge = () => {
    const now = Date.now();
    const stale = Object.entries(sections).filter(
      ([, { at, failure }]) =>
        failure !== undefined ||
        (at !== undefined && begunAt !== undefined && now - begunAt > intervals * interval),
    );
    for (const { section } of Object.values(sections))
      section.classList.toggle('stale', lostSince !== undefined);
    for (const [, { section }] of stale) section.classList.add('stale');
    // A verdict that depends on an out-of-date panel is out of date as well.
    if (stale.length > 0) sections.verdict.section.classList.add('stale');
    banner.hidden = lostSince === undefined && stale.length === 0;
    banner.replaceChildren(
      ...(lostSince === undefined
        ? [
            `Out of date: ${stale.map(([name]) => panels[name].title).join(', ')} could not be read since `,
            timeOf(Math.min(...stale.map(([, { at }]) => at ?? now))),
          ]
        : [
            'The connection to the console has been lost since ',
            timeOf(lostSince),
            '. Is the console command still running?',
          ]),
    );
  };
  const follow = () => {
    source?.close();
    source = undefined;
    begunAt = undefined;
    if (document.hidden) return;
    source = new EventSource('/console/api/now');
    source.addEventListener('open', () => {
      lostSince = undefined;
      judge();
    });
    source.addEventListener('error', () => {
      lostSince ??= Date.now();
      judge();
    });
    source.addEventListener('message', ({ data }) => {
      const moment = JSON.parse(data);
      if (begunAt !== undefined) interval = Math.max(shortestMilliseconds, moment.begun_at - begunAt);
      begunAt = moment.begun_at;
      for (const panel of moment.panels) show(panel);
      judge();
    });
  };
  const timer = setInterval(judge, 1_000);
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', follow);
    source?.close();
  };
};
