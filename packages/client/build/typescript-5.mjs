import { registerHooks } from 'node:module';

/**
 * Code generators import the compiler as a library. TypeScript 7 cannot be used as a library, so every generator,
 * wherever it is installed, gets the compiler that this package depends on.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});
