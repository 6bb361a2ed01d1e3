import { InvalidArgumentError } from 'commander';
import { parseGwei } from 'viem/utils';

/** Parses an amount in gwei, such as `120` or `120.5`, into wei. */
export const gwei = (text: string): bigint => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError('It must be a number of gwei.');
  return parseGwei(text);
};
