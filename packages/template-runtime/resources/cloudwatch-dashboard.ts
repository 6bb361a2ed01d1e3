import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const json = z.string().refine(
  (body) => {
    try {
      JSON.parse(body);
      return true;
    } catch {
      return false;
    }
  },
  { error: 'the body of a dashboard must be JSON' },
);

/** Checked, but shown nowhere. */
export const dashboard = resourceType({
  type: 'AWS::CloudWatch::Dashboard',
  properties: z.strictObject({
    DashboardName: z.string().optional(),
    DashboardBody: json,
    Tags: tags.optional(),
  }),
  deploy: async ({ DashboardName }, { stackName, logicalId }) => ({
    ref: DashboardName ?? `${stackName}-${logicalId}`,
  }),
});
