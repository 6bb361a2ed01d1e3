import { registerHooks } from 'node:module';

/**
 * Generators use the compiler as a library, which TypeScript 7 is not. Wherever they are installed, they get the
 * compiler of this package.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});
