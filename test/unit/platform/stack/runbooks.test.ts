import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../../operator/program.ts';
import { alarmCommands } from '../../../../operator/stage/status/alarm-commands.ts';
import { commandNames } from '../../../support/platform/operator-commands.ts';
import { anchorOf, runbookSections, testedRemedies } from '../../../support/platform/runbook.ts';
import { sectionsOfAlarms } from '../../../support/platform/stack.ts';

const page = readFileSync(new URL('../../../../docs/runbook.md', import.meta.url), 'utf8');

const anchorsOf = (headings: RegExp): string[] =>
  [...page.matchAll(headings)].map(([, heading = '']) => anchorOf(heading));

const anchors = new Set(anchorsOf(/^#{2,4} (.+)$/gm));

const named = sectionsOfAlarms();

describe('the sections of the runbook', () => {
  it('exist for every alarm', () => {
    expect(named.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });

  it('exist for every problem in the status summary', () => {
    expect(Object.keys(alarmCommands).filter((section) => !anchors.has(section))).toEqual([]);
  });

  it('are each named by an alarm', () => {
    expect(anchorsOf(/^### (.+)$/gm).filter((section) => !named.includes(section))).toEqual([]);
  });

  it('link to existing sections', () => {
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);

    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });
});

/** Commands that only show something. They find out more about a fault, and so mend nothing. */
const showing = new Set([
  'status',
  'find',
  'signers',
  'smoke',
  'preflight',
  'applications show',
  'applications usage',
  'dead-letters list',
  'events check',
  'events history',
  'failed-changes list',
  'failed-erasures list',
  'secrets list',
  'subscriptions list',
  'transactions list',
  'transactions show',
  'aws cloudformation describe-stack-events',
  'aws cloudformation list-change-sets',
  'aws cloudformation list-stack-resources',
  'aws lambda get-event-source-mapping',
  'aws lambda get-function-concurrency',
]);

/** Commands about a deployment that CloudFormation could not undo, a state that the local system does not have. */
const onlyOnAws = new Set(['aws dynamodb update-table', 'aws cloudformation update-termination-protection']);

/** The sections whose remedy no test can run here, with the reason. */
const untested: Readonly<Record<string, string>> = {
  'a-backup-fails': 'Only AWS Backup makes backups. The local system has none.',
  'a-deployment-is-rolled-back':
    'Only CloudFormation rolls back a deployment. The local system deploys without it.',
  'failures-are-not-logged':
    'Only the real SNS drops lines of its log. The local one logs the end of every delivery.',
  'signatures-near-the-quota':
    'Only AWS can raise the quota of KMS. The local KMS has none, and CloudWatch alone measures how much of it is used.',
  'the-nightly-run-is-refused': 'The section only says where to look for the cause, in an account on AWS.',
};

describe('the remedies in the runbook', async () => {
  const names = await commandNames();
  const program = await createProgram();
  const sections = runbookSections(page);
  const tested = testedRemedies();

  /** The operator command that a piece of inline code begins with, and its options. */
  const operatorCommandOf = (code: string) => {
    const [words = ''] = code.replace(/^npm run (-s )?operator -- /, '').split(/ -- /);
    const name = names
      .filter((each) => words === each || words.startsWith(`${each} `))
      .toSorted((one, other) => other.length - one.length)[0];
    return name === undefined ? undefined : { name, options: words.match(/--[a-z-]+/g) ?? [] };
  };
  const commandOf = (code: string): string | undefined =>
    /^aws [a-z]+ [a-z-]+/.exec(code)?.[0] ??
    /^(?:npm run (?:-s )?)?(release) (?:-- )?([a-z]+)/.exec(code)?.slice(1).join(' ') ??
    operatorCommandOf(code)?.name;
  const commandsOf = (code: readonly string[]): string[] => [
    ...new Set(code.map(commandOf).filter((command) => command !== undefined)),
  ];
  const isTested = (section: string, command: string): boolean =>
    tested.some((each) => each.section === section && commandOf(each.command) === command);

  it('that are commands are run by a test that causes the problem of their section', () => {
    const without = sections.flatMap(({ anchor, code }) =>
      commandsOf(code)
        .filter((command) => !showing.has(command) && !onlyOnAws.has(command))
        .filter((command) => !isTested(anchor, command))
        .map((command) => `${anchor}: ${command}`),
    );

    expect(without).toEqual([]);
  });

  it('exist in every section, tested or listed with the reason why not', () => {
    const without = sections
      .map(({ anchor }) => anchor)
      .filter((anchor) => !tested.some(({ section }) => section === anchor));

    expect(without.toSorted()).toEqual(Object.keys(untested).toSorted());
  });

  it('have the same text in the tests as in the runbook', () => {
    const stale = tested.filter(({ section, command }) => {
      const code = sections.find(({ anchor }) => anchor === section)?.code;
      return code === undefined || (command !== '' && !commandsOf(code).includes(commandOf(command) ?? ''));
    });

    expect(stale).toEqual([]);
  });

  it('use only existing options of the commands', () => {
    const unknown = sections.flatMap(({ anchor, code }) =>
      code
        .map(operatorCommandOf)
        .filter((command) => command !== undefined)
        .flatMap(({ name, options }) => {
          const [group, inner] = name.split(' ');
          const found = program.commands.find((each) => each.name() === group);
          const command = found?.commands.find((each) => each.name() === inner) ?? found;
          const known = new Set(command?.options.map(({ long }) => long));
          return options
            .filter((option) => !known.has(option))
            .map((option) => `${anchor}: ${name} ${option}`);
        }),
    );

    expect(unknown).toEqual([]);
  });
});
