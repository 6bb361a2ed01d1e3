import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workflowJobs } from '../../../support/platform/workflow.ts';

describe('the workflow ci.yml', () => {
  it('runs the commands of .ci/run', () => {
    const script = readFileSync(new URL('../../../../.ci/run', import.meta.url), 'utf8');
    const jobs = workflowJobs('ci.yml');
    const inWorkflow = ['test-and-check', 'drills'].flatMap((job) => jobs.get(job)?.map(({ run }) => run));
    const inScript = [...script.matchAll(/^(?:nice )?(npm (?:test|run)[^>|&\n]*)/gm)].map(
      ([, command = '']) => command.trim(),
    );

    expect(inWorkflow.length).toBeGreaterThan(3);
    expect(inScript.toSorted()).toEqual(inWorkflow.toSorted());
  });
});
