/** A decimal number as its digits, without zeros at either end, and the power of ten of the last digit. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Reads a number as JSON and JavaScript write it. */
const decimalIn = (text: string): Decimal | undefined => {
  const [matched, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return { isNegative: false, digits: '0', exponent: 0 };
  const last = Number(exponent) - fraction.length + (all.length - digits.length);
  return { isNegative: sign === '-', digits, exponent: last };
};

const written = ({ isNegative, digits, exponent }: Decimal): string => {
  const sign = isNegative ? '-' : '';
  if (exponent >= 0) return `${sign}${digits}${'0'.repeat(exponent)}`;
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
};

/** A finite number in decimal digits, without an exponent: `1e21` has 22 digits. Zero has no sign. */
export const decimalText = (number: number): string => {
  if (Number.isInteger(number)) return BigInt(number).toString();
  const decimal = decimalIn(String(number));
  if (decimal === undefined) throw new RangeError('Not a finite number');
  return written(decimal);
};

/**
 * Whether a double holds the number that a text contains. An integer must be equal: 2 to the power of 64 is held, but
 * not 1e23. Of another number, the shortest text of the double must have the same digits: 0.1 is held, but not
 * 0.10000000000000001 or 1e-400.
 */
export const isExact = (number: number, text: string): boolean => {
  const meant = decimalIn(text);
  if (meant === undefined || !Number.isFinite(number)) return false;
  if (Number.isInteger(number)) return meant.exponent >= 0 && BigInt(written(meant)) === BigInt(number);
  const held = decimalIn(String(number));
  return (
    held?.isNegative === meant.isNegative && held.digits === meant.digits && held.exponent === meant.exponent
  );
};
