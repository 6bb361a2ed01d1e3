import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const widget = z.object({
  type: z.string(),
  width: z.int().min(1).max(24).optional(),
  height: z.int().min(1).max(1_000).optional(),
  properties: z.object({
    // "Dashboard Body Structure and Syntax": an alarm widget has 1 to 100 alarms.
    alarms: z.array(z.string()).min(1).max(100).optional(),
    // "CloudWatch service quotas": 500 metrics in a widget, and 2,500 in all widgets of a dashboard.
    metrics: z.array(z.unknown()).max(500).optional(),
  }),
});

/** Checks what CloudWatch checks in a dashboard, as far as a template can contain such mistakes. */
export const dashboardBody = z
  .string()
  .transform((body, context): unknown => {
    try {
      return JSON.parse(body);
    } catch {
      context.addIssue({ code: 'custom', message: 'the body of a dashboard must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.object({ widgets: z.array(widget).max(500) }))
  .refine(
    ({ widgets }) =>
      widgets.reduce((sum, { properties }) => sum + (properties.metrics?.length ?? 0), 0) <= 2_500,
    { error: 'a dashboard has at most 2,500 metrics' },
  );

/** Checked, but shown nowhere. */
export const dashboard = resourceType({
  type: 'AWS::CloudWatch::Dashboard',
  properties: z.strictObject({
    DashboardName: z.string().optional(),
    DashboardBody: dashboardBody,
    Tags: tags.optional(),
  }),
  deploy: async ({ DashboardName }, { stackName, logicalId }) => ({
    ref: DashboardName ?? `${stackName}-${logicalId}`,
  }),
});
