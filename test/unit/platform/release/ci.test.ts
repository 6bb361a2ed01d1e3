import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assumedRoles, workflowJobs } from '../../../support/platform/workflow.ts';

describe('the workflow ci.yml', () => {
  const jobs = workflowJobs('ci.yml');
  const commandsOf = (job: string) => jobs.get(job)?.map(({ run }) => run);

  it('runs the commands of .ci/run in one job', () => {
    const script = readFileSync(new URL('../../../../.ci/run', import.meta.url), 'utf8');
    const inScript = [...script.matchAll(/^(?:nice )?(npm (?:test|run)[^\d>|&\n]*)/gm)].map(
      ([, command = '']) => command.trim(),
    );

    expect(inScript.length).toBeGreaterThan(2);
    expect(commandsOf('test-and-check')?.toSorted()).toEqual(inScript.toSorted());
  });

  it('runs the drills in a second job at the same time', () => {
    expect(commandsOf('drills')).toEqual(['npm run drills']);
  });
});

describe.each(['deploy.yml', 'nightly.yml'])('each role that a job of %s assumes', (file) => {
  it('has a session that is not shorter than the job', () => {
    const roles = assumedRoles(file);

    expect(roles.length).toBeGreaterThan(0);
    expect(roles.filter(({ sessionMinutes, jobMinutes }) => sessionMinutes < jobMinutes)).toEqual([]);
  });
});
