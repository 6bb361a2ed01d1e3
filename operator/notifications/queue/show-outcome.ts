import { part } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { Output, Row } from '../../platform/terminal/output.ts';

const requireFound = (asked: readonly string[], found: readonly string[], remark = ''): void => {
  const missing = asked.filter((messageId) => !found.includes(messageId));
  if (missing.length > 0) throw new OperatorError({ message: `Not found: ${missing.join(', ')}.${remark}` });
};

/** The reason of a failure, as it fits into a row. */
export const oneLine = (reason: string | undefined): string | undefined =>
  reason?.replaceAll(/\s+/g, ' ').slice(0, 200);

type RedrivenRow = Row & { readonly message_id: string; readonly redriven: boolean };

/** Shows the messages that could not be redriven, or all. Throws if there are any, or if one of `asked` is missing. */
export const showRedriven = (
  output: Output,
  rows: readonly RedrivenRow[],
  {
    columns,
    isWhole,
    asked = [],
  }: { readonly columns: readonly string[]; readonly isWhole: boolean; readonly asked?: readonly string[] },
): void => {
  const left = rows.filter(({ redriven }) => !redriven);
  output[isWhole ? 'rows' : 'lines'](['message_id', ...columns, 'redriven', 'reason'], isWhole ? rows : left);
  output.remark(`${rows.length - left.length} of ${rows.length} redriven.`);
  const found = rows.map(({ message_id }) => message_id);
  requireFound(
    asked,
    found,
    ' Messages that another command is reading are back in the queue within a minute.',
  );
  if (left.length > 0) {
    throw new OperatorError({
      message: `${part(left.length, rows.length, 'message')} could not be redriven, so ${left.length === 1 ? 'it stays' : 'they stay'} in the queue.`,
    });
  }
};

export const showPurged = (output: Output, purged: readonly string[], asked: readonly string[]): void => {
  output.rows(
    ['message_id'],
    purged.map((message_id) => ({ message_id })),
  );
  output.remark(`${purged.length} deleted.`);
  requireFound(asked, purged);
};
