import { describe, expect, it } from 'vitest';
import { decimalText, isExact } from '../../../shared/platform/parsing/decimals.ts';
import { parseExactJson } from '../../../shared/platform/parsing/json.ts';

describe('the decimal text of a number', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [-12.5, '-12.5'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [5e-7, '0.0000005'],
    [-1.25e-7, '-0.000000125'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [2 ** 64, '18446744073709551616'],
    [-(2 ** 64), '-18446744073709551616'],
  ])('of %d is %s', (number, text) => {
    expect(decimalText(number)).toBe(text);
  });

  it('is the same number again, without an exponent, for any double', () => {
    const bits = new DataView(new ArrayBuffer(8));
    // A linear congruential generator: the same doubles in each run.
    let seed = 1;
    const next = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed;
    };
    for (let count = 0; count < 5_000; count += 1) {
      bits.setUint32(0, next());
      bits.setUint32(4, next());
      const number = bits.getFloat64(0);
      if (!Number.isFinite(number)) continue;

      expect(decimalText(number)).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
      expect(Number(decimalText(number))).toBe(number);
    }
  });
});

describe('a number in JSON', () => {
  it.each([
    '0',
    '-0',
    '-0.0',
    '1.0',
    '1E3',
    '0.1',
    '-12.50',
    '1e21',
    '18446744073709551616',
    '18446744073709551616e0',
    '5e-324',
    '0.30000000000000004',
  ])('is exact if it is %s', (text) => {
    expect(isExact(Number(text), text)).toBe(true);
    expect(parseExactJson(`[${text}]`, { rounded: [] })).toEqual([Number(text)]);
  });

  it.each([
    '9007199254740993',
    '0.1000000000000000055',
    '3.14159265358979323846',
    '1e23',
    '1.7976931348623157e308',
    '1e400',
    '-1e400',
    '1e-400',
    '1e-999999999',
    '1e999999999',
    '18446744073709551616.5',
    '18446744073709551617',
    '4e-324',
    '99999999999999999.5',
  ])('is refused if it is %s, which a double does not hold', (text) => {
    const parse = () => parseExactJson(`{"list":[{"n":${text}}]}`, { rounded: ['data'] });

    expect(parse).toThrow(expect.objectContaining({ path: ['list', 0, 'n'] }));
    for (const [whole, path] of [
      [`[[${text}]]`, [0, 0]],
      [text, []],
    ] as const) {
      expect(() => parseExactJson(whole, { rounded: [] })).toThrow(expect.objectContaining({ path }));
    }
  });

  it('may be rounded in the fields that are named, but not an integer that is written in digits', () => {
    const parse = (text: string) => parseExactJson(`{"data":{"n":${text}}}`, { rounded: ['data'] });

    expect(parse('3.14159265358979323846')).toEqual({ data: { n: Math.PI } });
    expect(parse('1e400')).toEqual({ data: { n: Number.POSITIVE_INFINITY } });
    expect(() => parse('9007199254740993')).toThrow('data.n is an integer');
  });

  it('is not looked for within strings', () => {
    const text = '{"a":"9007199254740993 1e23","b":1}';

    expect(parseExactJson(text, { rounded: [] })).toEqual({ a: '9007199254740993 1e23', b: 1 });
  });
});
