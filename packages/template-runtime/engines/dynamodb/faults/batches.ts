import * as z from 'zod';
import { parseBatchGet, parseBatchWrite } from './requests.ts';
import type { DatabaseAnswer } from './types.ts';

/** A batch that succeeds in part: the refused entries are returned as unprocessed. */
export interface PartialBatch {
  /**
   * The batch without the refused entries. `undefined` when every entry is refused: DynamoDB then returns an exception.
   */
  readonly input: unknown;
  readonly withUnprocessed: (answer: DatabaseAnswer) => DatabaseAnswer;
}

const part = <Entry>(entries: readonly Entry[], isRefused: () => boolean) => {
  const refused: Entry[] = [];
  const admitted: Entry[] = [];
  for (const entry of entries) (isRefused() ? refused : admitted).push(entry);
  return { refused, admitted };
};

const merge =
  (field: 'UnprocessedItems' | 'UnprocessedKeys', refused: Readonly<Record<string, unknown>>) =>
  (answer: DatabaseAnswer): DatabaseAnswer => {
    if (answer.status !== 200 || Object.keys(refused).length === 0) return answer;
    const body = z.looseObject({}).parse(JSON.parse(Buffer.from(answer.body).toString('utf8')));
    return { ...answer, body: JSON.stringify({ ...body, [field]: refused }) };
  };

export const partialBatch = (
  operation: 'BatchGetItem' | 'BatchWriteItem',
  input: unknown,
  isRefused: () => boolean,
): PartialBatch => {
  const admitted: Record<string, unknown> = {};
  const refused: Record<string, unknown> = {};
  if (operation === 'BatchWriteItem') {
    const batch = parseBatchWrite(input);
    for (const [table, entries] of Object.entries(batch.RequestItems)) {
      const parts = part(entries, isRefused);
      if (parts.admitted.length > 0) admitted[table] = parts.admitted;
      if (parts.refused.length > 0) refused[table] = parts.refused;
    }
    const isEmpty = Object.keys(admitted).length === 0;
    return {
      input: isEmpty ? undefined : { ...batch, RequestItems: admitted },
      withUnprocessed: merge('UnprocessedItems', refused),
    };
  }
  const batch = parseBatchGet(input);
  for (const [table, request] of Object.entries(batch.RequestItems)) {
    const parts = part(request.Keys, isRefused);
    if (parts.admitted.length > 0) admitted[table] = { ...request, Keys: parts.admitted };
    if (parts.refused.length > 0) refused[table] = { ...request, Keys: parts.refused };
  }
  const isEmpty = Object.keys(admitted).length === 0;
  return {
    input: isEmpty ? undefined : { ...batch, RequestItems: admitted },
    withUnprocessed: merge('UnprocessedKeys', refused),
  };
};
