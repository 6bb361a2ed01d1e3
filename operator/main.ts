import { enableCompileCache } from 'node:module';

// This comes before any other module is loaded, so that the next command can reuse their compiled code.
enableCompileCache();
const { run } = await import('./run.ts');
await run();
