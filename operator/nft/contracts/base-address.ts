import { type Address, writtenAddressSchema } from '../../../shared/chain/hex.ts';
import { baseBytesAtMost } from '../../../shared/nft/collections/collection.ts';
import { UsageError } from '../../platform/terminal/operator-error.ts';

/** Checks a base address, and removes trailing slashes: a collection stores the address without them. */
export const readBase = (written: string): string => {
  const base = written.replace(/\/+$/, '');
  const url = URL.parse(base);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isWeb || url.search !== '' || url.hash !== '') {
    throw new UsageError({ message: `${written} is not an address such as https://api.example.com.` });
  }
  if (Buffer.byteLength(base) > baseBytesAtMost) {
    throw new UsageError({ message: `${base} is longer than ${baseBytesAtMost} bytes.` });
  }
  return base;
};

export const readContractAddress = (written: string): Address => {
  const parsed = writtenAddressSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  throw new UsageError({ message: `${written} is not a contract address.` });
};
