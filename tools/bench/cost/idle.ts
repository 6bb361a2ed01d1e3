import { type MonthlyUnit, monthlyPrices } from './prices.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

type Template = { readonly Resources: Readonly<Record<string, Resource>> };

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

interface AlarmMetric {
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: readonly { readonly Name: string }[];
  readonly Statistic?: string;
}

/** An alarm on one metric costs as one, and an alarm on an expression as the metrics that it reads. */
const metricsOf = ({ Properties = {} }: Resource): readonly AlarmMetric[] =>
  Array.isArray(Properties.Metrics)
    ? Properties.Metrics.flatMap(
        ({
          MetricStat: of,
        }: {
          readonly MetricStat?: { readonly Metric?: AlarmMetric; readonly Stat?: string };
        }) => (of === undefined ? [] : [{ ...of.Metric, Statistic: of.Stat }]),
      )
    : [Properties];

/**
 * Whether it is one of Marquee's own metrics that have data even if nothing happens: two schedules measure them. Alarms
 * sum what functions count, and metrics that are read from logs have no service.
 */
const isMeasure = ({ Namespace = 'AWS/', Dimensions = [], Statistic }: AlarmMetric): boolean =>
  !Namespace.startsWith('AWS/') && Dimensions.some(({ Name }) => Name === 'service') && Statistic !== 'Sum';

/** How many units of each kind the resources of a template are billed as each month, even if nothing uses them. */
export const idleUnits = (template: Template): Readonly<Record<MonthlyUnit, number>> => {
  const ofType = (type: string) => Object.values(template.Resources).filter(({ Type }) => Type === type);
  const acls = ofType('AWS::WAFv2::WebACL');
  const alarmMetrics = ofType('AWS::CloudWatch::Alarm').flatMap(metricsOf);
  const sum = (resources: readonly Resource[], of: (resource: Resource) => number) =>
    resources.reduce((total, resource) => total + of(resource), 0);
  return {
    alarmMetric: alarmMetrics.length,
    measure: new Set(alarmMetrics.filter(isMeasure).map(({ MetricName }) => MetricName)).size,
    key: ofType('AWS::KMS::Key').length,
    secret: ofType('AWS::SecretsManager::Secret').length,
    webAcl: acls.length,
    firewallRule: sum(acls, ({ Properties }) => lengthOf(Properties?.Rules)),
    dashboard: ofType('AWS::CloudWatch::Dashboard').length,
  };
};

export const idleDollars = (template: Template): number =>
  (Object.entries(idleUnits(template)) as [MonthlyUnit, number][]).reduce(
    (total, [unit, count]) => total + count * monthlyPrices[unit].price,
    0,
  );

/** A table of what the given stages cost in a month in which nothing happens. */
export const idleTable = (stages: Readonly<Record<string, Template>>): string => {
  const templates = Object.values(stages);
  const rows = (Object.entries(monthlyPrices) as [MonthlyUnit, { price: number; name: string }][]).map(
    ([unit, { price, name }]) => {
      const cells = templates.map((template) => {
        const count = idleUnits(template)[unit];
        return `${count} | ${(count * price).toFixed(2)}`;
      });
      return `| ${name}, $${price} | ${cells.join(' | ')} |`;
    },
  );
  const totals = templates.map((template) => `| **${idleDollars(template).toFixed(2)}**`);
  return [
    `| unit and price | ${Object.keys(stages)
      .map((stage) => `${stage} | $`)
      .join(' | ')} |`,
    `|---|${templates.map(() => '---|---|').join('')}`,
    ...rows,
    `| **AWS in total** | ${totals.join(' | ')} |`,
  ].join('\n');
};
