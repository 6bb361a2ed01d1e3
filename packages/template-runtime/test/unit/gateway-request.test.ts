import { describe, expect, it } from 'vitest';
import { grouped, lastOfEach } from '../../gateway/gateway-request.ts';

describe('the names of headers and query parameters in a request', () => {
  const pairs = [
    ['a', '1'],
    ['__proto__', 'x'],
    ['a', '2'],
    ['constructor', 'y'],
    ['toString', 'z'],
  ] as const;

  it('are grouped even if they have a meaning in JavaScript, such as __proto__', () => {
    expect(JSON.stringify(grouped(pairs))).toBe(
      '{"a":["1","2"],"__proto__":["x"],"constructor":["y"],"toString":["z"]}',
    );
  });

  it('keep their last value if they are repeated', () => {
    expect(JSON.stringify(lastOfEach(pairs))).toBe(
      '{"a":"2","__proto__":"x","constructor":"y","toString":"z"}',
    );
  });
});
