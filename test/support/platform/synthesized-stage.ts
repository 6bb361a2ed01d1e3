import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import * as z from 'zod';

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.looseObject({ ReservedConcurrentExecutions: z.number().optional() }).prefault({}),
    }),
  ),
});
const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ properties: z.looseObject({ terminationProtection: z.boolean().optional() }).optional() }),
  ),
});

/** The stack of a stage, as the project in a folder makes it. */
export interface SynthesizedStage {
  readonly template: z.output<typeof templateSchema>;
  readonly isProtected: boolean;
}

const run = promisify(execFile);

/**
 * Synthesizes a stage with the program that the CDK's command line runs, without bundling the functions.
 *
 * @throws with what the program prints, when it refuses the stage's file.
 */
export const synthesizedStage = async (folder: string, stage: string): Promise<SynthesizedStage> => {
  const stack = `Marquee-${stage}`;
  const outdir = mkdtempSync(join(tmpdir(), 'marquee-stage-'));
  const { VITEST: _, NODE_OPTIONS: __, ...environment } = process.env;
  try {
    await run(process.execPath, ['bin/marquee.ts'], {
      cwd: folder,
      env: {
        ...environment,
        CDK_OUTDIR: outdir,
        CDK_CONTEXT_JSON: JSON.stringify({ stage, 'aws:cdk:bundling-stacks': [] }),
        CDK_VALIDATION: 'false',
      },
    });
    const read = (file: string): unknown => JSON.parse(readFileSync(join(outdir, file), 'utf8'));
    const { artifacts } = manifestSchema.parse(read('manifest.json'));
    return {
      template: templateSchema.parse(read(`${stack}.template.json`)),
      isProtected: artifacts[stack]?.properties?.terminationProtection ?? false,
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
};

/** The concurrency that the functions of a stage reserve. */
export const reservedBy = ({ template }: SynthesizedStage): number =>
  Object.values(template.Resources).reduce(
    (sum, { Properties }) => sum + (Properties.ReservedConcurrentExecutions ?? 0),
    0,
  );

/** A line for each resource that differs, as `cdk diff` begins the part about it. */
export const differences = (before: SynthesizedStage | undefined, after: SynthesizedStage): string[] => {
  const [old = {}, now] = [before?.template.Resources, after.template.Resources];
  const line = (sign: string, id: string): string => `[${sign}] ${(now[id] ?? old[id])?.Type} ${id}`;
  return [
    ...Object.keys(old)
      .filter((id) => now[id] === undefined)
      .map((id) => line('-', id)),
    ...Object.keys(now)
      .filter((id) => old[id] === undefined)
      .map((id) => line('+', id)),
    ...Object.keys(now)
      .filter((id) => old[id] !== undefined && !isDeepStrictEqual(old[id], now[id]))
      .map((id) => line('~', id)),
  ];
};
