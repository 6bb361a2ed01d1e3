import { registerHooks } from 'node:module';

/**
 * Code generators import the compiler as a library. TypeScript 7 cannot be used as a library, so every generator gets
 * TypeScript 5, on which this package depends.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});
