import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withErrorTable } from '../../../../tools/openapi/error-table.ts';

it('the customer guide lists exactly the error codes, with status and meaning', () => {
  const guide = readFileSync(new URL('../../../../docs/customer-guide.md', import.meta.url), 'utf8');

  expect(guide, 'run `npm run openapi` and commit docs/customer-guide.md').toBe(withErrorTable(guide));
});
