import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { commandBlocks } from '../../../test/support/platform/markdown-commands.ts';
import { copyProject } from '../../../test/support/platform/project-copy.ts';
import type { System } from '../../../test/support/platform/system.ts';
import { installAwsCommandLine, pathWithAws } from './aws-command-line.ts';
import { outside } from './outside.ts';
import type { Verdict } from './verdict.ts';

const guide = 'docs/customer-guide.md';

/** The last command of the section receives this from the queue: in the body, and as an attribute of the message. */
const received = [/\\"operation_type\\":\s*\\"test\\"/, /"operation_type": \{\s*"StringValue": "test"/];

/** Pastes the section about queues into one shell, after the variables that the guide sets at its beginning. */
export const checkCustomerQueue = async (started: () => Promise<System>): Promise<Verdict> => {
  const missing = await installAwsCommandLine();
  if (missing !== undefined) return { missing };
  const system = await started();
  const [variables, ...blocks] = commandBlocks(guide);
  const pasted = [variables, ...blocks.filter(({ remark }) => remark === 'AWS only')];
  const project = copyProject();
  try {
    symlinkSync(system.stateDirectory, join(project.root, '.local'));
    const { ok, output } = await outside(
      'bash',
      ['-euo', 'pipefail', '-c', pasted.map((block) => block?.commands).join('\n')],
      { cwd: project.root, env: { ...process.env, PATH: pathWithAws(), AWS_PAGER: '' } },
    );
    return {
      checked: pasted.length,
      findings: ok && received.every((part) => part.test(output)) ? [] : [output],
    };
  } finally {
    project.remove();
  }
};
