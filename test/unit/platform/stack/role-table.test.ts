import { describe, expect, it } from 'vitest';
import { rolePermissions } from '../../../support/platform/role-table.ts';
import { templateOf } from '../../../support/platform/stack.ts';
import { worstCases } from '../../../support/platform/worst-cases.ts';

const roles = rolePermissions(templateOf('prod'));

const introduction = `# What each role can do if it is taken over

This page is for whoever reviews permissions. Each row is a role of the stage \`prod\`: the worst that an attacker can do
who has taken it over, and everything that the template allows it. A test compares the last column with the template. If
a permission changes, the test fails until somebody has read the row again: correct the sentence in
\`test/support/platform/worst-cases.ts\`, and run \`npx vitest run test/unit/platform/stack/role-table.test.ts --update\`.

Each function also writes lines into its own log and into X-Ray. No function can read, change or delete a log. The
[threat model](threat-model.md) says what limits the damage. A condition on keys is about an item's partition key, such
as \`EVENT#*\`.

| role | the worst that it can do | what it may do |
|---|---|---|
`;

const page = `${introduction}${roles
  .map(({ role, may }) => {
    const worst = (worstCases[role] ?? []).map((each) => `${each}.`).join('<br>');
    return `| \`${role}\` | ${worst} | ${may.map((line) => `\`${line}\``).join('<br>')} |\n`;
  })
  .join('')}`;

describe('the table of roles', () => {
  it('has the worst case of each role, and of no other', () => {
    expect(Object.keys(worstCases).toSorted()).toEqual(roles.map(({ role }) => role).toSorted());
  });

  it('says what the template allows', async () => {
    await expect(page).toMatchFileSnapshot('../../../../docs/roles.md');
  });

  it('has no role that may use all items of the events table, where several functions keep marks and records', () => {
    const shared = roles.flatMap(({ role, may }) =>
      may
        .filter((line) => /^OttEvents: /.test(line))
        .flatMap((line) => line.slice(line.indexOf(': ') + 2).split('; '))
        .filter((what) => !/\(keys /.test(what))
        .map((what) => `${role} ${what}`),
    );

    expect(shared).toEqual([]);
  });
});
