import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { adoptionOf, templateSchema } from '../../../operator/stage/adopt/adoption.ts';
import { templateOf } from '../../../test/support/platform/stack.ts';
import { outside } from './outside.ts';
import { cacheDirectory, type Verdict } from './verdict.ts';

const version = '1.58.0';
const python = join(cacheDirectory, `cfn-lint-${version}`, 'bin');

const tools = async (): Promise<string | undefined> => {
  const made = await outside('python3', ['-m', 'venv', dirname(python)]);
  const installed = made.ok
    ? await outside(join(python, 'pip'), ['install', '--quiet', `cfn-lint==${version}`])
    : made;
  return installed.ok ? undefined : `Python, or cfn-lint, which pip downloads: ${installed.output}`;
};

/** Lints the template of the retained resources, which `operator adopt` writes, by CloudFormation's own schemas. */
export const checkAdoption = async (): Promise<Verdict> => {
  const missing = await tools();
  if (missing !== undefined) return { missing };
  const folder = mkdtempSync(join(tmpdir(), 'marquee-adoption-'));
  try {
    const prod = templateSchema.parse(templateOf('prod'));
    const physicalIds = new Map(Object.keys(prod.Resources).map((id) => [id, `old-${id}`]));
    const { template, resourcesToImport } = adoptionOf(prod, physicalIds);
    const file = join(folder, 'template.json');
    writeFileSync(file, JSON.stringify(template));
    const { ok, output } = await outside(join(python, 'cfn-lint'), ['--regions', 'eu-central-1', '--', file]);
    return { checked: resourcesToImport.length, findings: ok ? [] : [output] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
