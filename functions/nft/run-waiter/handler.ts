import * as z from 'zod';
import { unlessUnavailable } from '../../../shared/chain/unless-unavailable.ts';
import type { Signer } from '../../../shared/nft/ports/chain.ts';
import type { SignerId } from '../../../shared/nft/transactions/entry.ts';
import { type KeyRing, keylessSigner } from '../../../shared/nft/transactions/key-ring.ts';
import { type PassResult, type RunPassDependencies, runPass } from '../../../shared/nft/waiter/pass.ts';

const inputSchema = z.object({
  signer: z.string().min(1),
  generation: z.string().min(1),
  passes: z.int().min(0).optional(),
});

export interface Dependencies extends Omit<RunPassDependencies, 'signer'> {
  readonly keys: Pick<KeyRing, 'find'>;
}

/** If the key cannot be read, the pass only follows what is sent already. The next pass asks for the key again. */
const signerOf = async (
  { keys, logger }: Pick<Dependencies, 'keys' | 'logger'>,
  id: SignerId,
): Promise<Signer> => {
  const known = await unlessUnavailable(
    () => keys.find(id),
    (error) => {
      logger.warn('A pass cannot sign, because the key of its signer cannot be read', { signer: id, error });
      return undefined;
    },
  );
  return known?.signer ?? keylessSigner(id);
};

export const runWaiterHandler =
  ({ keys, ...dependencies }: Dependencies) =>
  async (input: unknown): Promise<PassResult> => {
    const { signer: id, generation, passes } = inputSchema.parse(input);
    const signer = await signerOf({ keys, logger: dependencies.logger }, id);
    return runPass({ ...dependencies, signer }, { signer: id, generation, passes });
  };
