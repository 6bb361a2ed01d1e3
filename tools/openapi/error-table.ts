import { statusByCode } from '../../shared/platform/http/errors.ts';
import { meaningOf } from './errors.ts';

const heading = '| code | status | meaning |\n|---|---|---|\n';

const table = (): string =>
  (Object.keys(statusByCode) as (keyof typeof statusByCode)[])
    .sort((one, other) => statusByCode[one] - statusByCode[other] || (one < other ? -1 : 1))
    .map((code) => `| \`${code}\` | ${statusByCode[code]} | ${meaningOf[code]} |\n`)
    .join('');

/** The customer guide with the table of all error codes as they are now. @throws when the guide has no such table. */
export const withErrorTable = (guide: string): string => {
  const [before, after] = guide.split(heading);
  if (before === undefined || after === undefined) throw new Error('The guide has no table of error codes');
  return before + heading + table() + after.replace(/^(\|.*\n)*/, '');
};
