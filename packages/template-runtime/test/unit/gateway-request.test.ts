import { describe, expect, it } from 'vitest';
import { grouped, lastOfEach } from '../../gateway/gateway-request.ts';

describe('names that a caller sends', () => {
  const pairs = [
    ['a', '1'],
    ['__proto__', 'x'],
    ['a', '2'],
    ['constructor', 'y'],
    ['toString', 'z'],
  ] as const;

  it('are grouped even if JavaScript gives them a meaning, such as __proto__', () => {
    expect(JSON.stringify(grouped(pairs))).toBe(
      '{"a":["1","2"],"__proto__":["x"],"constructor":["y"],"toString":["z"]}',
    );
  });

  it('keep their last value', () => {
    expect(JSON.stringify(lastOfEach(pairs))).toBe(
      '{"a":"2","__proto__":"x","constructor":"y","toString":"z"}',
    );
  });
});
