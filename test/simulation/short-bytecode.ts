/**
 * Gives the simulated collections bytecode of four bytes. Nothing runs it, but the service hashes it with each
 * deployment: with the contract's own, this takes a third of a world's time. Import this before the service's code.
 */
import { registerHooks } from 'node:module';

const artifact = new URL('../../contracts/artifacts/collection-bytecode.ts', import.meta.url).href;

registerHooks({
  load: (url, context, next) =>
    url.startsWith(artifact)
      ? { format: 'module', shortCircuit: true, source: "export const collectionBytecode = '0x60806040';" }
      : next(url, context),
});
