import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withErrorTable } from '../../../../tools/openapi/error-table.ts';

it('the customer guide has each error code with its status and its meaning, and no other', () => {
  const guide = readFileSync(new URL('../../../../docs/customer-guide.md', import.meta.url), 'utf8');

  expect(guide, 'run `npm run openapi` and commit docs/customer-guide.md').toBe(withErrorTable(guide));
});
