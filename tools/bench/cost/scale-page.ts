import { prod } from '../../../config/prod.ts';
import { parseStage } from '../../../config/stage.ts';
import type { CountedUnits } from '../../../operator/stage/scale/counted-units.ts';
import { awsDefaults, type Load, percent, sharesOf } from '../../../operator/stage/scale/limits.ts';

/** The load of an ordinary evening. docs/scale.md shows the limits at ten, a hundred and a thousand times this load. */
const ordinary: Load = { mints: 10, changes: 50, events: 0.1, lists: 250, viewers: 5_000, applications: 5 };
const factors = [10, 100, 1_000];

const times = (factor: number): Load => ({
  mints: factor * ordinary.mints,
  changes: factor * ordinary.changes,
  events: factor * ordinary.events,
  lists: factor * ordinary.lists,
  viewers: factor * ordinary.viewers,
  applications: ordinary.applications,
});

const scaleTables = (units: CountedUnits): string => {
  const stage = parseStage('config/prod.ts', prod);
  const shares = factors.map((factor) => sharesOf(times(factor), { stage, account: awsDefaults, units }));
  const limits = shares[0] ?? [];
  const rows = limits.map(({ limit, moves }) => {
    const each = shares.map((some) => percent(some.find((one) => one.limit === limit)?.share));
    return `| ${limit} | ${each.join(' | ')} | ${moves} |`;
  });
  return [
    `| limit | ${factors.map((factor) => `${factor.toLocaleString('en-US')} × the load`).join(' | ')} | what helps |`,
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
};

const begin = '<!-- scale: written by `node tools/scripts/write-costs.ts` -->';
const end = '<!-- end of scale -->';

export const withScale = (page: string, units: CountedUnits): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page lacks ${begin} or ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${scaleTables(units)}\n\n${page.slice(to)}`;
};
