import { enableCompileCache } from 'node:module';

// Before anything else is loaded: what was compiled once is not compiled by the next command again.
enableCompileCache();
const { run } = await import('./run.ts');
await run();
