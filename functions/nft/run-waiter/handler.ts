import * as z from 'zod';
import { type PassResult, type RunPassDependencies, runPass } from '../../../shared/nft/waiter/pass.ts';

const inputSchema = z.object({
  signer: z.string().min(1),
  generation: z.string().min(1),
  passes: z.int().min(0).optional(),
});

/** One pass of a signer's execution, whose state is its input and output. */
export const runWaiterHandler =
  (passing: RunPassDependencies) =>
  async (input: unknown): Promise<PassResult> => {
    const { signer, generation, passes } = inputSchema.parse(input);
    return runPass(passing, { signer, generation, ...(passes === undefined ? {} : { passes }) });
  };
