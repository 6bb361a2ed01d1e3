import { describe, expect, it } from 'vitest';
import type { DatabaseAnswer } from '../../engines/dynamodb/faults/types.ts';
import { requestTokens } from '../../engines/dynamodb/request-tokens.ts';

const ok: DatabaseAnswer = { status: 200, headers: {}, body: '{"made":true}' };
const refused: DatabaseAnswer = {
  status: 400,
  headers: {},
  body: '{"__type":"TransactionCanceledException"}',
};

const transaction = (token: string, value = 'x') => ({
  ClientRequestToken: token,
  TransactItems: [{ Put: { TableName: 'things', Item: { pk: { S: 'a' }, value: { S: value } } } }],
});

const typeOf = ({ body }: DatabaseAnswer) =>
  String(JSON.parse(String(body)).__type)
    .split('#')
    .at(-1);

const start = () => {
  let now = 0;
  const asked: unknown[] = [];
  const tokens = requestTokens({ clock: () => now });
  return {
    asked,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    once: (input: unknown, answer: DatabaseAnswer | Promise<DatabaseAnswer> = ok) =>
      tokens.once(input, async (made) => {
        asked.push(made);
        return answer;
      }),
  };
};

describe('a client request token', () => {
  it('executes a DynamoDB transaction that is repeated within ten minutes only once, also with its fields in another order', async () => {
    const { asked, once, pass } = start();
    const { ClientRequestToken, TransactItems } = transaction('a');

    expect(await once({ ClientRequestToken, TransactItems })).toBe(ok);
    pass(599_999);
    const otherwise = TransactItems.map(({ Put: { TableName, Item } }) => ({ Put: { Item, TableName } }));
    expect((await once({ TransactItems: otherwise, ClientRequestToken })).status).toBe(200);
    expect(asked).toEqual([{ TransactItems }]);

    pass(1);
    await once({ ClientRequestToken, TransactItems });
    expect(asked).toHaveLength(2);
  });

  it('causes IdempotentParameterMismatchException for another transaction', async () => {
    const { asked, once } = start();
    await once(transaction('a'));

    const answer = await once(transaction('a', 'y'));

    expect(answer.status).toBe(400);
    expect(typeOf(answer)).toBe('IdempotentParameterMismatchException');
    expect(asked).toHaveLength(1);
  });

  it('causes TransactionInProgressException while the first transaction is running', async () => {
    const { asked, once } = start();
    const { promise, resolve } = Promise.withResolvers<DatabaseAnswer>();
    const first = once(transaction('a'), promise);

    expect(typeOf(await once(transaction('a')))).toBe('TransactionInProgressException');
    resolve(ok);
    expect(await first).toBe(ok);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['was refused', (once: ReturnType<typeof start>['once']) => once(transaction('a'), refused)],
    [
      'had no answer',
      (once: ReturnType<typeof start>['once']) =>
        once(transaction('a'), Promise.reject(new Error('away'))).catch(() => refused),
    ],
  ])('executes the transaction again if the first %s', async (_, first) => {
    const { asked, once } = start();
    await first(once);

    expect(await once(transaction('a'))).toBe(ok);
    expect(asked).toHaveLength(2);
  });

  it('has no effect if the request contains none', async () => {
    const { asked, once } = start();
    const { TransactItems } = transaction('');

    await once({ TransactItems });
    await once({ TransactItems });

    expect(asked).toEqual([{ TransactItems }, { TransactItems }]);
  });
});
