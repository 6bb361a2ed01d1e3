import { delimiter, dirname, join } from 'node:path';
import { outside } from './outside.ts';
import { cacheDirectory } from './verdict.ts';

const version = '1.45.11';
const folder = join(cacheDirectory, `awscli-${version}`, 'bin');

/** A `PATH` on which `aws` is the installed version. */
export const pathWithAws = (): string => [folder, process.env.PATH].join(delimiter);

/** Installs the AWS command line. Returns what this machine lacks for it; `undefined` if it is installed. */
export const installAwsCommandLine = async (): Promise<string | undefined> => {
  const made = await outside('python3', ['-m', 'venv', dirname(folder)]);
  const installed = made.ok
    ? await outside(join(folder, 'pip'), ['install', '--quiet', `awscli==${version}`])
    : made;
  return installed.ok ? undefined : `Python, or awscli, which pip downloads: ${installed.output}`;
};
