import { StartQueryRequest$ } from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, it } from 'vitest';
import { logSearchOf } from '../../../operator/stage/find/log-search.ts';
import { shellWords } from '../../support/platform/shell-words.ts';
import { resourcesOf, templateOf } from '../../support/platform/stack.ts';

const id = '0b5c9f9e-38f0-4ec3-9a5b-0123456789ab';
const now = Date.parse('2026-11-20T10:00:00.500Z');
const search = logSearchOf({ stage: 'prod', isLocal: false }, () => now);

const words = shellWords(search(id).command);
const valueAfter = (option: string) => words[words.indexOf(option) + 1];

describe('the search for a request id in the logs on AWS', () => {
  it('has only options of `aws logs start-query`, which are the members of the call', () => {
    const [, , , , members] = StartQueryRequest$;
    const known = members.map(
      (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    );

    expect(words.slice(0, 3)).toEqual(['aws', 'logs', 'start-query']);
    expect(words.filter((word) => word.startsWith('--') && !known.includes(word))).toEqual([]);
  });

  it('looks at the last day, in seconds', () => {
    const [start, end] = [Number(valueAfter('--start-time')), Number(valueAfter('--end-time'))];

    expect(end * 1_000 - now).toBe(500);
    expect(end - start).toBe(24 * 60 * 60);
  });

  it('selects the log groups of all functions and APIs by the beginning of the names that CloudFormation makes', () => {
    const [, prefix] =
      /^SOURCE logGroups\(namePrefix: \['(.*?)'\]\) \|/.exec(String(valueAfter('--query-string'))) ?? [];
    const writers = JSON.stringify([
      resourcesOf(templateOf('prod'), 'AWS::Lambda::Function').map(
        ([, { Properties }]) => Properties.LoggingConfig,
      ),
      resourcesOf(templateOf('prod'), 'AWS::ApiGateway::Stage').map(
        ([, { Properties }]) => Properties.AccessLogSetting,
      ),
    ]);
    const named = resourcesOf(templateOf('prod'), 'AWS::Logs::LogGroup').filter(
      ([, { Properties }]) => Properties.LogGroupName !== undefined,
    );

    expect(prefix).toBe('Marquee-prod-');
    expect(writers).toContain('Logs');
    for (const [logicalId] of named) expect(writers).not.toContain(`"${logicalId}"`);
  });

  it('filters by the id', () => {
    expect(valueAfter('--query-string')).toMatch(new RegExp(`\\| filter @message like '${id}'$`));
  });
});
