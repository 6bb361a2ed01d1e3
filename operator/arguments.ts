import { InvalidArgumentError } from 'commander';

/** Parses an option's value, for commander. */
export const positiveInteger = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number from 1 up.');
  }
  return value;
};
