import * as z from 'zod';
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

export const runWaiterHandler =
  ({ keys, ...dependencies }: Dependencies) =>
  async (input: unknown): Promise<PassResult> => {
    const { signer: id, generation, passes } = inputSchema.parse(input);
    const known = await keys.find(id);
    return runPass(
      { ...dependencies, signer: known?.signer ?? keylessSigner(id) },
      { signer: id, generation, ...(passes === undefined ? {} : { passes }) },
    );
  };
