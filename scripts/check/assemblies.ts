import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stageNames } from '../../config/stages.ts';
import { checkBundles } from './bundles.ts';
import { type Findings, run } from './command.ts';
import { checkTemplate } from './template.ts';

/**
 * Synthesizes every stage twice, as an operator would, and judges what comes out: no warning, the same bytes both
 * times, bundles within their budgets, and nothing of the local runtime in what goes to AWS.
 */
export async function checkAssemblies(): Promise<Findings> {
  const directory = await mkdtemp(join(tmpdir(), 'marquee-check-'));
  try {
    const findings: string[] = [];
    for (const stage of stageNames) {
      const twice = [join(directory, stage, '1'), join(directory, stage, '2')] as const;
      const complaints = (await Promise.all(twice.map((output) => synthesize(stage, output)))).flat();
      if (complaints.length > 0) {
        findings.push(...complaints.slice(0, 1));
        continue;
      }
      const [first, second] = await Promise.all(twice.map(digests));
      findings.push(...differences(stage, first ?? new Map(), second ?? new Map()));
      findings.push(...(await checkTemplate({ stage, assembly: twice[0] })));
      findings.push(...(await checkBundles({ stage, assembly: twice[0] })));
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
  const complaints = result.output.split('\n').filter((line) => !isProgress(line));
  const isClean = result.exitCode === 0 && complaints.length === 0;
  return isClean ? [] : [`${stage}: the synthesis is not clean\n${complaints.join('\n')}`];
}

/** The CDK says which function it bundles; npm, which starts esbuild, may speak of the machine's own settings. */
function isProgress(line: string): boolean {
  return (
    line.trim() === '' ||
    line.startsWith('Bundling asset ') ||
    line.startsWith('npm warn Unknown user config')
  );
}

/** A digest of every template and of every file in every asset, by its path in the assembly. */
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
