import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The most resources of a stack. AWS allows 500; the margin lets a release add and remove resources in one update. */
export const mostResources = 480;

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

export function findingsOf(stage: string, template: Template): Findings {
  const findings: string[] = [];
  const resources = Object.values(template.Resources);
  if (resources.length > mostResources) {
    findings.push(`${stage}: ${resources.length} resources, but at most ${mostResources} are allowed`);
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
