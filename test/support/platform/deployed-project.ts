import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import type { Credentials } from 'template-runtime/engines/iam/types.ts';
import * as z from 'zod';
import type { GuidePolicy } from './guide-policy.ts';
import { copyProject, type Edit, type ProjectCopy } from './project-copy.ts';
import { type StackState, startStageAccount } from './stage-account.ts';
import { differences, synthesizedStage } from './synthesized-stage.ts';
import { type System, startSystem } from './system.ts';
import type { Shell } from './workflow.ts';

/** A call of the CDK's command line. */
export interface CdkCall {
  /** The folder of the release that it deploys. */
  readonly folder: string;
  readonly words: readonly string[];
}

/** A checkout of the project, and an AWS account to which its programs deploy one stage. */
export interface DeployedProject {
  readonly copy: ProjectCopy;
  /** The local system, which is the stage's stack. */
  system(): System;
  cdkCalls(): readonly CdkCall[];
  /** Runs a line of shell in the checkout, as a step of a workflow does. */
  shell(line: string, env?: Parameters<Shell>[1]): ReturnType<Shell>;
  /** Lets a new user of the account run the following lines. @default somebody who may do everything */
  actAs(name: string, policy: GuidePolicy): Promise<void>;
  dispose(): Promise<void>;
}

/** Asks the test what `cdk` does. */
const cdkProgram = `#!/usr/bin/env node
const call = { folder: process.cwd(), words: process.argv.slice(2) };
const answer = await fetch(process.env.CDK_ANSWERS, { method: 'POST', body: JSON.stringify(call) });
process.stdout.write(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
`;

/**
 * A fake npm. In an older release, `npm ci` installs the packages of the checkout. All other commands run npm
 * itself.
 */
const npmProgram = (copy: string): string => {
  const npm = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'npm'))
    .find(existsSync);
  return `#!/bin/sh
test "$*" = ci || exec '${npm}' "$@"
ln -s '${copy}/node_modules' node_modules
`;
};

const writeProgram = (file: string, program: string): void => writeFileSync(file, program, { mode: 0o755 });

/** Gives the copy a `node_modules/.bin` of its own, whose `cdk` is the test's. */
const replaceCdk = (copy: string): void => {
  const programs = join(copy, 'node_modules', '.bin');
  rmSync(programs);
  mkdirSync(programs);
  const installed = fileURLToPath(new URL('../../../node_modules/.bin/', import.meta.url));
  for (const entry of readdirSync(installed)) {
    if (entry !== 'cdk') symlinkSync(join(installed, entry), join(programs, entry));
  }
  writeProgram(join(programs, 'cdk'), cdkProgram);
};

/** The commit of a release, or `undefined` if the folder is no repository. */
const commitOf = (folder: string): string | undefined => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return undefined;
  }
};

/** A deployed release does not need the checkout from which it was deployed. */
const keptRelease = (folder: string, place: string): string => {
  const left = ['.git', 'node_modules'].map((entry) => join(folder, entry));
  cpSync(folder, place, { recursive: true, filter: (file) => !left.includes(file) });
  symlinkSync(realpathSync(join(folder, 'node_modules')), join(place, 'node_modules'));
  return place;
};

const cdkCall = z.object({ folder: z.string(), words: z.array(z.string()) });

/**
 * `cdk deploy` starts the local system from the deployed commit, with the state of the deployment before, because
 * CloudFormation would need an account. `cdk diff` names the resources of the stage that would change. After
 * `cdk destroy`, there is no stack. Everything else is real.
 */
export const startDeployedProject = async (
  stage: string,
  ...edits: readonly Edit[]
): Promise<DeployedProject> => {
  const copy = copyProject(...edits);
  replaceCdk(copy.root);
  const programs = mkdtempSync(join(tmpdir(), 'marquee-programs-'));
  writeProgram(join(programs, 'npm'), npmProgram(copy.root));
  let system: System | undefined;
  let deployed: { readonly commit: string | undefined } | undefined;
  let state: StackState | undefined;
  let credentials: Credentials = { accessKeyId: 'anyone', secretAccessKey: 'anyone' };
  const calls: CdkCall[] = [];

  /** As CloudFormation does, rolls back if one of the named alarms is red. */
  const throwIfRed = async (words: readonly string[]): Promise<void> => {
    const names = words
      .filter((_, index) => words[index - 1] === '--rollback-trigger-alarm-arns')
      .map((arn) => arn.split(':alarm:')[1] ?? '');
    if (system === undefined || names.includes('')) return;
    const { MetricAlarms: [red] = [] } = await new CloudWatchClient(system.aws).send(
      new DescribeAlarmsCommand({ AlarmNames: names, StateValue: 'ALARM' }),
    );
    if (red === undefined || state === undefined) return;
    state = { ...state, status: 'UPDATE_ROLLBACK_COMPLETE', updatedAt: new Date() };
    throw new Error(`rolled back: ${red.AlarmName} is red`);
  };

  const deploy = async (folder: string): Promise<string> => {
    const commit = commitOf(folder);
    if (deployed !== undefined && deployed.commit === commit) return 'no changes\n';
    const release = keptRelease(folder, join(programs, `release-${calls.length}`));
    if (system === undefined) {
      system = await startSystem({ project: release, environment: { CDK_VALIDATION: 'false' } });
    } else {
      if (deployed !== undefined) await system.stop();
      await system.start(release);
    }
    deployed = { commit };
    return `deployed ${folder}\n`;
  };
  const answerTo = async ({ folder, words }: CdkCall): Promise<string> => {
    calls.push({ folder, words });
    const [command] = words;
    if (command === 'destroy') state = undefined;
    if (command !== 'deploy' && command !== 'diff') return `${words.join(' ')}\n`;
    const made = await synthesizedStage(folder, stage);
    if (command === 'diff') return [words.join(' '), ...differences(state?.stage, made), ''].join('\n');
    await throwIfRed(words);
    const said = await deploy(folder);
    state =
      state === undefined
        ? { status: 'CREATE_COMPLETE', stage: made }
        : { status: 'UPDATE_COMPLETE', updatedAt: new Date(), stage: made };
    return said;
  };
  const cdk = createServer(async (incoming, outgoing) => {
    try {
      outgoing.end(await answerTo(cdkCall.parse(JSON.parse(await text(incoming)))));
    } catch (error) {
      outgoing.writeHead(500).end(`${error}\n`);
    }
  });
  await once(cdk.listen(0, '127.0.0.1'), 'listening');
  const account = await startStageAccount({
    stage,
    endpoint: () => system?.aws.endpoint,
    state: () => state,
  });

  return {
    copy,
    system: () => {
      if (system === undefined) throw new Error('nothing is deployed yet');
      return system;
    },
    cdkCalls: () => calls,
    shell: (line, env = {}) =>
      new Promise((resolve) => {
        const { VITEST: _, NODE_OPTIONS: __, ...environment } = process.env;
        execFile(
          'bash',
          ['-euo', 'pipefail', '-c', line],
          {
            cwd: copy.root,
            env: {
              ...environment,
              PATH: [programs, join(copy.root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
              AWS_ENDPOINT_URL: account.url,
              AWS_REGION: 'us-east-1',
              AWS_ACCESS_KEY_ID: credentials.accessKeyId,
              AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
              CDK_ANSWERS: `http://127.0.0.1:${(cdk.address() as AddressInfo).port}`,
              ...env,
            },
          },
          (error, stdout, stderr) =>
            resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
        );
      }),
    actAs: async (name, policy) => {
      const answer = await fetch(`${system?.aws.endpoint}/_users`, {
        method: 'POST',
        body: JSON.stringify({ name, policy }),
      });
      credentials = (await answer.json()) as Credentials;
    },
    dispose: async () => {
      await account.stop();
      cdk.closeAllConnections();
      await once(cdk.close(), 'close');
      await system?.dispose();
      copy.remove();
      rmSync(programs, { recursive: true, force: true });
    },
  };
};
