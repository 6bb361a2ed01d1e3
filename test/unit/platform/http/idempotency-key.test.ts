import { describe, expect, it } from 'vitest';
import { idempotencyKeyOf } from '../../../../shared/platform/http/idempotency-key.ts';

const longest = 'k'.repeat(255);

describe('the header Idempotency-Key', () => {
  it.each([
    ['with one character', 'k', 'k'],
    ['with 255 characters', longest, longest],
    ['with 255 characters in quotes', `"${longest}"`, longest],
    ['with every printable ASCII character', ' !"#~', ' !"#~'],
  ])('is a key %s', (_, header, key) => {
    expect(idempotencyKeyOf(() => header)).toBe(key);
  });

  it.each([
    ['without a character', ''],
    ['with nothing in quotes', '""'],
    ['with 256 characters', `${longest}k`],
    ['with 256 characters in quotes', `"${longest}k"`],
    ['with a letter that is not ASCII', 'Größe'],
    ['with a control character', 'order\t1'],
    ['with a line break at its end', 'order\n'],
  ])('is refused %s', (_, header) => {
    const issues = [{ path: 'Idempotency-Key', message: 'From 1 to 255 printable ASCII characters' }];

    expect(() => idempotencyKeyOf(() => header)).toThrowError(expect.objectContaining({ issues }));
  });

  it('may be absent', () => {
    expect(idempotencyKeyOf(() => undefined)).toBeUndefined();
  });
});
