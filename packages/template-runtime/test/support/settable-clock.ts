import { statSync } from 'node:fs';

/** Preloaded into a process and its threads: their clock is an hour slow as long as the file is there. */
const file = process.env.CLOCK_SET_BACK_BY ?? '';
const now = Date.now.bind(Date);
Date.now = () => (statSync(file, { throwIfNoEntry: false }) === undefined ? now() : now() - 3_600_000);
