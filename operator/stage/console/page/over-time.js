import { ask, failureText, h, timeOf } from './elements.js';
import UPlot from './uplot.js';

const makingCalls = ['deploy', 'mint', 'batch'];
const viewersCalls = ['list', 'event', 'stream'];
const ids = (calls, metric) => calls.map((call) => `${call}_${metric}`);

/** The colours of lines. Red always means failed, and amber refused. Other colours have no fixed meaning. */
const tones = {
  answered: '--series-1',
  published: '--series-1',
  delivered: '--series-3',
  refused: '--waiting',
  failed: '--bad',
};

/**
 * The charts and their lines. A line shows one of three values: the metrics in `plus` less those in `minus`, the
 * greatest metric in `most`, or the sum of the decreases of the metrics in `falls`. Where nothing was measured, the
 * lines of charts with `counts` are 0. All other lines have a gap.
 */
const chartsOf = (signers) => {
  const each = (id) => signers.map((signer) => `${id}_${signer}`);
  const failing = (calls) => [...ids(calls, '4XXError'), ...ids(calls, '5XXError')];
  return [
    {
      title: 'Calls that create contracts and tokens, and their transactions',
      counts: true,
      lines: [
        { label: 'accepted', plus: ids(makingCalls, 'Count'), minus: failing(makingCalls) },
        { label: 'mined', plus: each('mined') },
        { label: 'confirmed', plus: each('confirmed') },
      ],
    },
    {
      title: 'Seconds to confirmation',
      lines: [
        { label: 'p50', most: each('p50') },
        { label: 'p95', most: each('p95') },
      ],
    },
    { title: 'Gas price, gwei', lines: [{ label: 'gwei', most: each('gas') }] },
    { title: 'Coins spent', counts: true, lines: [{ label: 'coins', falls: each('balance') }] },
    {
      title: 'Notifications',
      counts: true,
      lines: ['published', 'delivered', 'failed'].map((id) => ({ label: id, plus: [id], tone: tones[id] })),
    },
    {
      title: 'Delay of notifications, seconds',
      lines: ['p50', 'p95'].map((id) => ({ label: id, most: [`delay_${id}`], scale: 0.001 })),
    },
    {
      title: "Viewers' calls by outcome",
      counts: true,
      lines: [
        {
          label: 'answered',
          plus: ids(viewersCalls, 'Count'),
          minus: failing(viewersCalls),
          tone: tones.answered,
        },
        { label: 'refused', plus: ids(viewersCalls, '4XXError'), tone: tones.refused },
        { label: 'failed', plus: ids(viewersCalls, '5XXError'), tone: tones.failed },
      ],
    },
    {
      title: 'Outside services that did not answer',
      counts: true,
      lines: ['entitlement', 'geolocation'].map((id) => ({ label: id, plus: [id] })),
    },
    {
      title: 'Circuits of outside services (1 is open)',
      counts: true,
      lines: ['entitlement', 'geolocation', 'issuer', 'rpc'].map((id) => ({
        label: id,
        plus: [`circuit_${id}`],
      })),
    },
  ];
};

const timesOf = ({ at, seconds, period_seconds: period }) => {
  const last = Math.floor(at / 1_000 / period) * period;
  const count = Math.ceil(seconds / period);
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * period);
};

const valuesOf = ({ plus, minus = [], most, falls, scale = 1 }, { counts }, points, times) => {
  const byTime = (id) => new Map((points[id] ?? []).map(([at, value]) => [at / 1_000, value]));
  const total = (maps, time) => {
    const found = maps.map((map) => map.get(time)).filter((value) => value !== undefined);
    return found.length === 0 ? undefined : found.reduce((sum, value) => sum + value, 0);
  };
  if (falls !== undefined) {
    const drops = falls.map((id) => {
      const known = points[id] ?? [];
      return new Map(
        known.slice(1).map(([at, value], index) => [at / 1_000, Math.max(0, known[index][1] - value)]),
      );
    });
    return times.map((time) => total(drops, time) ?? 0);
  }
  if (most !== undefined) {
    const maps = most.map(byTime);
    return times.map((time) => {
      const found = maps.map((map) => map.get(time)).filter((value) => value !== undefined);
      return found.length === 0 ? null : Math.max(...found) * scale;
    });
  }
  const [up, down] = [plus.map(byTime), minus.map(byTime)];
  return times.map((time) => {
    const sum = total(up, time);
    return sum === undefined ? (counts ? 0 : null) : (sum - (total(down, time) ?? 0)) * scale;
  });
};

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const seriesOf = ({ label, tone }, { counts }, index) => ({
  label,
  stroke: colour(tone ?? `--series-${index + 1}`),
  width: 2,
  points: { show: counts !== true, size: 4 },
});

/** The time of the oldest measurement, epoch seconds. Earlier periods are blank and not 0, because they are unknown. */
const firstMeasured = ({ points }) =>
  Math.min(...Object.values(points).flatMap(([oldest]) => (oldest === undefined ? [] : [oldest[0] / 1_000])));

const textOf = ({ from, to, what }) =>
  `${timeOf(from).textContent} to ${timeOf(to).textContent}: ${what.join(', ')}`;

/** The faults as a list, for users who cannot hover over the marks. */
const failuresOf = (faults, range) => {
  const count = faults.length === 0 ? 'none' : `${faults.length}, marked red on the time axes`;
  return [
    h('summary', {}, `Failures in the last ${range}: ${count}`),
    h(
      'ul',
      {},
      faults.map((fault) => h('li', {}, textOf(fault))),
    ),
  ];
};

/**
 * A mark on the time axis for each fault. The chart shows the value of each period at the start of the period. So each
 * mark is moved left by half a period, to be centred on the values that it belongs to.
 */
const marksOf = ({ faults, period_seconds: period }, times) => {
  const [first, last] = [times[0], times.at(-1)];
  const share = (milliseconds) => {
    const within = (milliseconds / 1_000 - period / 2 - first) / (last - first);
    return 100 * Math.min(1, Math.max(0, within));
  };
  return faults.map((fault) => {
    const title = textOf(fault);
    const mark = h('span', { class: 'fault', role: 'img', 'aria-label': title, title });
    mark.style.left = `${share(fault.from)}%`;
    mark.style.width = `${share(fault.to) - share(fault.from)}%`;
    return mark;
  });
};

const draw = (place, chart, answer) => {
  const times = timesOf(answer);
  const axis = {
    stroke: colour('--faint'),
    grid: { stroke: colour('--line') },
    ticks: { stroke: colour('--line') },
  };
  const options = {
    width: place.clientWidth,
    height: 190,
    cursor: { y: false },
    scales: { y: { range: (_, low, high) => [Math.min(0, low ?? 0), (high || 1) * 1.1] } },
    axes: [
      axis,
      {
        ...axis,
        size: 62,
        values: (_, splits) =>
          splits.map((value) => value.toLocaleString('en', { maximumSignificantDigits: 3 })),
      },
    ],
    series: [
      {},
      ...chart.lines.map((line, index) => seriesOf(line, chart, index)),
      // The last period is dashed because it is not over, so its values may still rise.
      ...chart.lines.map((line, index) => ({
        ...seriesOf(line, chart, index),
        class: 'unfinished',
        dash: [4, 4],
        points: { show: false },
      })),
    ],
  };
  const first = firstMeasured(answer);
  const whole = chart.lines.map((line) =>
    valuesOf(line, chart, answer.points, times).map((value, index) => (times[index] < first ? null : value)),
  );
  const newest = times.length - 1;
  const data = [
    times,
    ...whole.map((values) => values.map((value, index) => (index === newest ? null : value))),
    ...whole.map((values) => values.map((value, index) => (index < newest - 1 ? null : value))),
  ];
  place.replaceChildren();
  const plot = new UPlot(options, data, place);
  plot.over.append(...marksOf(answer, times));
  const observer = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: 190 }));
  observer.observe(place);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
};

const everyMilliseconds = 60_000;

/** Draws the charts, and redraws them every minute while the page is visible. Returns a function that stops this. */
export const showOverTime = (view, { argument, stage }) => {
  const range = ['hour', 'day', 'week'].includes(argument) ? argument : 'hour';
  const said = h('p', { class: 'faint' });
  const failures = h('details', { class: 'failures' });
  view.append(
    h(
      'section',
      { class: 'wide' },
      h(
        'div',
        {},
        ['hour', 'day', 'week'].map((each) =>
          h(
            'button',
            {
              class: 'choice',
              'aria-pressed': String(each === range),
              onclick: () => {
                location.hash = `#over-time/${each}`;
              },
            },
            `last ${each}`,
          ),
        ),
      ),
      said,
      failures,
      stage.is_local
        ? h('p', { class: 'faint' }, 'The local stage keeps these metrics for a week.')
        : undefined,
    ),
  );
  const charts = chartsOf(Array.from({ length: stage.signers }, (_, index) => index + 1)).map((chart) => {
    const place = h('div', { class: 'chart' });
    view.append(h('section', {}, h('h2', {}, chart.title), place));
    return { chart, place, end: () => {} };
  });
  let last;
  const redraw = () => {
    if (last?.at === undefined) return;
    for (const each of charts) {
      each.end();
      each.end = draw(each.place, each.chart, last);
    }
  };
  const read = async () => {
    if (document.hidden) return;
    try {
      last = await ask('over-time', { range });
      said.replaceChildren(
        ...(last.at === undefined
          ? ['The limit of a hundred metrics a minute is used up. These charts are read in a minute.']
          : [
              'As of ',
              timeOf(last.at),
              `, read once a minute, with a point for each ${{ hour: 'minute', day: 'five minutes', week: 'hour' }[range]}. The last period, dashed, is not over yet.`,
            ]),
      );
      failures.replaceChildren(...failuresOf(last.faults ?? [], range));
      redraw();
    } catch (error) {
      said.replaceChildren(failureText(error));
    }
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', redraw);
  document.addEventListener('visibilitychange', read);
  const timer = setInterval(read, everyMilliseconds);
  read();
  return () => {
    clearInterval(timer);
    dark.removeEventListener('change', redraw);
    document.removeEventListener('visibilitychange', read);
    for (const { end } of charts) end();
  };
};
