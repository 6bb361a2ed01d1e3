import { enableCompileCache } from 'node:module';

// Before anything else is loaded, so that the next command reuses compiled code.
enableCompileCache();
const { run } = await import('./run.ts');
await run();
