import { enableCompileCache } from 'node:module';

// This comes before any other module is loaded, so that the compiled code of all modules is cached for the next
// command.
enableCompileCache();
const { run } = await import('./run.ts');
await run();
