import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dashboardBody } from 'template-runtime/resources/cloudwatch-dashboard.ts';
import * as z from 'zod';
import type { Findings } from './command.ts';

const templateSchema = z.object({
  Parameters: z.record(z.string(), z.unknown()).optional(),
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).optional() }),
  ),
});

export type Template = z.output<typeof templateSchema>;

const localTraces = [/127\.0\.0\.1/, /localhost/i, /\b31337\b/, /\b0{12}\b/, /"[^"]*\blocal\b[^"]*"/];

/** The most resources of a stack: prod with twelve signers has about 310. AWS allows 500. */
export const mostResources = 360;

export async function readTemplate({
  stage,
  assembly,
}: {
  stage: string;
  assembly: string;
}): Promise<Template> {
  const text = await readFile(join(assembly, `Marquee-${stage}.template.json`), 'utf8');
  return templateSchema.parse(JSON.parse(text));
}

export async function checkTemplate(source: { stage: string; assembly: string }): Promise<Findings> {
  return findingsOf(source.stage, await readTemplate(source));
}

/** A text in which another resource's name or ARN is replaced by a placeholder. */
const textOf = (value: unknown): unknown => {
  const joined = z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }).safeParse(value).data;
  if (joined === undefined) return value;
  const [separator, parts] = joined['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : 'name')).join(separator);
};

export function findingsOf(stage: string, template: Template): Findings {
  const findings: string[] = [];
  const resources = Object.values(template.Resources);
  if (resources.length > mostResources) {
    findings.push(`${stage}: ${resources.length} resources, but at most ${mostResources} are allowed`);
  }
  for (const { Type, Properties } of resources) {
    if (Type !== 'AWS::CloudWatch::Dashboard') continue;
    const { error } = dashboardBody.safeParse(textOf(Properties?.DashboardBody));
    for (const { path, message } of error?.issues ?? []) {
      findings.push(`${stage}: CloudWatch refuses the dashboard: ${path.join('.')}: ${message}`);
    }
  }
  if (stage !== 'local') {
    const text = JSON.stringify(template);
    for (const trace of localTraces) {
      const found = trace.exec(text)?.[0];
      if (found !== undefined) {
        findings.push(`${stage}: the template contains ${found}, which belongs to the local runtime`);
      }
    }
    const parameters = Object.keys(template.Parameters ?? {});
    if (parameters.length > 0) {
      findings.push(
        `${stage}: the template has the parameters ${parameters.join(', ')}, whose values must come from the stage's file`,
      );
    }
  }
  return findings;
}
