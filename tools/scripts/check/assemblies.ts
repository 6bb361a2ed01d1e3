import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageNames } from '../../../config/stages.ts';
import { checkBundles } from './bundles.ts';
import { type Findings, run } from './command.ts';
import { checkTemplate } from './template.ts';

/**
 * Synthesizes every stage as an operator would, and all stages again within one process. It checks that there are no
 * warnings, that both syntheses produce the same bytes, that bundles are within their budgets, and that templates for
 * AWS contain nothing of the local runtime.
 */
export async function checkAssemblies(): Promise<Findings> {
  const directory = await mkdtemp(join(tmpdir(), 'marquee-check-'));
  try {
    const again = join(directory, 'again');
    const complaints = await Promise.all([
      synthesizeAgain(again),
      ...stageNames.map((stage) => synthesize(stage, join(directory, stage))),
    ]);
    const findings = complaints.flat();
    if (findings.length > 0) return findings;
    for (const stage of stageNames) {
      const assembly = join(directory, stage);
      const [first, second] = await Promise.all([digests(assembly), digests(join(again, stage))]);
      findings.push(...differences(stage, first, second));
      findings.push(...(await checkTemplate({ stage, assembly })));
      findings.push(...(await checkBundles({ stage, assembly })));
    }
    return [...new Set(findings)];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function synthesize(stage: string, output: string): Promise<Findings> {
  const result = await run({
    program: 'cdk',
    parameters: ['synth', '--quiet', '--no-notices', '--context', `stage=${stage}`, '--output', output],
  });
  return complaintsOf(stage, result);
}

/**
 * Synthesizes all stages within one process, in reverse order and without the CDK's command line. None of this may
 * change the result.
 */
async function synthesizeAgain(directory: string): Promise<Findings> {
  const program = fileURLToPath(new URL('synthesize-again.ts', import.meta.url));
  return complaintsOf('once more', await run({ program: 'node', parameters: [program, directory] }));
}

function complaintsOf(
  subject: string,
  { exitCode, output }: { readonly exitCode: number; readonly output: string },
): Findings {
  const complaints = output.split('\n').filter((line) => !isProgress(line));
  const isClean = exitCode === 0 && complaints.length === 0;
  return isClean ? [] : [`${subject}: the synthesis is not clean\n${complaints.join('\n')}`];
}

/**
 * Whether a printed line only shows progress and no problem. The CDK prints which function it bundles. npm, which
 * starts esbuild, may warn about settings of this machine.
 */
function isProgress(line: string): boolean {
  return (
    line.trim() === '' ||
    line.startsWith('Bundling asset ') ||
    line.startsWith('npm warn Unknown user config')
  );
}

async function digests(assembly: string): Promise<Map<string, string>> {
  const entries = await readdir(assembly, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(assembly.length + 1))
    .filter(
      (path) => path.startsWith('asset.') || path.endsWith('.template.json') || path.endsWith('.assets.json'),
    );
  return new Map(
    await Promise.all(
      files.map(async (path): Promise<[string, string]> => {
        const content = await readFile(join(assembly, path));
        return [path, createHash('sha256').update(content).digest('hex')];
      }),
    ),
  );
}

function differences(stage: string, first: Map<string, string>, second: Map<string, string>): Findings {
  const paths = new Set([...first.keys(), ...second.keys()]);
  return [...paths]
    .filter((path) => first.get(path) !== second.get(path))
    .map((path) => `${stage}: two syntheses differ in ${path}`);
}
