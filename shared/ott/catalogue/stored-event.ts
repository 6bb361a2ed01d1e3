import type { Catalogue, StoredEvent } from '../ports/catalogue.ts';
import { NoSuchEventError } from './errors.ts';

/** Throws if the stored event is not the one that the caller means to change. */
export type RequireExpected = (stored: StoredEvent | undefined) => void;

/** @throws NoSuchEventError */
export const getStored = async (
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'findStored'> },
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await catalogue.findStored(id);
  if (stored === undefined) throw new NoSuchEventError({ id });
  return stored;
};

/** @throws NoSuchEventError, and what `requireExpected` throws. */
export const expected = (
  id: string,
  found: StoredEvent | undefined,
  requireExpected: RequireExpected | undefined,
): StoredEvent => {
  if (found === undefined) throw new NoSuchEventError({ id });
  requireExpected?.(found);
  return found;
};
