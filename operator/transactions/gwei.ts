import { InvalidArgumentError } from 'commander';
import { parseGwei } from 'viem/utils';

/** Wei, from a text in gwei such as `120` or `120.5`. */
export const gwei = (text: string): bigint => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError('It must be a number of gwei.');
  return parseGwei(text);
};
